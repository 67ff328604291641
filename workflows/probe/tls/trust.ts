import { X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { issuersOf } from './certificate.ts';

/** Whose certificates are trusted: those that browsers and this system trust, and the operator's own. */
export type Trust = {
  /** Made once, when it is first needed: it holds some hundred certificates. */
  context(): SecureContext;
  /** Whether a certificate is one of the operator's own authorities, or comes from one. */
  isOwn(leaf: X509Certificate): boolean;
};

/** @param extraCa further authorities, PEM */
export function createTrust(extraCa?: string): Trust {
  let context: SecureContext | undefined;
  const own = certificatesIn(extraCa ?? '');
  return {
    context() {
      const authorities = [
        ...getCACertificates('bundled'),
        ...getCACertificates('system'),
        ...(extraCa ? [extraCa] : []),
      ];
      context ??= createSecureContext({
        ca: authorities,
        minVersion: 'TLSv1',
        ciphers: 'ALL:COMPLEMENTOFALL:@SECLEVEL=0',
      });
      return context;
    },
    isOwn: (leaf) => issuersOf(leaf).some((sent) => own.some((authority) => comesFrom(sent, authority))),
  };
}

const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (text) => new X509Certificate(text),
  );

const comesFrom = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.fingerprint256 === authority.fingerprint256 ||
  (certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
