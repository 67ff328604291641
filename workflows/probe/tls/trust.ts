import { constants, X509Certificate } from 'node:crypto';
import { createSecureContext, getCACertificates, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { TlsRequest } from '../../model/tls.ts';
import { issuersOf } from './certificate.ts';

/** Whose certificates are trusted: those that browsers and this system trust, and the operator's own. */
export type Trust = {
  /** Made once for each range of versions, when it is first needed: it holds some hundred certificates. */
  context(versions?: TlsVersions): SecureContext;
  /** Certificates of all of them. */
  authorities(): readonly X509Certificate[];
  /** Whether a certificate is one of the operator's own authorities, or comes from one. */
  isOwn(leaf: X509Certificate): boolean;
};

type TlsVersions = Pick<TlsRequest, 'minVersion' | 'maxVersion'>;

const trusts = new Map<string, Trust>();

/** Whoever trusts the same certificates shares what is made of them. @param extraCa further authorities, PEM */
export function createTrust(extraCa = ''): Trust {
  const trust = trusts.get(extraCa) ?? newTrust(extraCa);
  trusts.set(extraCa, trust);
  return trust;
}

function newTrust(extraCa: string): Trust {
  const contexts = new Map<string, SecureContext>();
  const own = certificatesIn(extraCa);
  let all: X509Certificate[] | undefined;
  return {
    authorities() {
      all ??= [...publicAuthorities().parsed(), ...own];
      return all;
    },
    context({ minVersion = 'TLSv1', maxVersion = 'TLSv1.3' } = {}) {
      const range = `${minVersion} ${maxVersion}`;
      const ca = () => [...publicAuthorities().pem, ...(extraCa ? [extraCa] : [])];
      const context = contexts.get(range) ?? createSecureContext({ ...anyServer, ca: ca(), minVersion, maxVersion });
      contexts.set(range, context);
      return context;
    },
    isOwn: (leaf) => issuersOf(leaf).some((sent) => own.some((authority) => comesFrom(sent, authority))),
  };
}

let known: { pem: string[]; parsed(): X509Certificate[] } | undefined;

/** Each once: the system has most of what Node brings along, and often several times. */
function publicAuthorities(): { pem: string[]; parsed(): X509Certificate[] } {
  if (known) return known;
  const listed = [...getCACertificates('bundled'), ...getCACertificates('system')];
  const pem = [...new Map(listed.map((text) => [text.replace(/\s/g, ''), text])).values()];
  let parsed: X509Certificate[] | undefined;
  known = {
    pem,
    parsed() {
      parsed ??= pem.flatMap(certificatesIn);
      return parsed;
    },
  };
  return known;
}

/** Weak ciphers, and servers without secure renegotiation (RFC 5746): what a target offers is a result, not an obstacle. */
const anyServer: SecureContextOptions = {
  ciphers: 'ALL:COMPLEMENTOFALL:@SECLEVEL=0',
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
};

const certificatesIn = (pem: string): X509Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map(
    (text) => new X509Certificate(text),
  );

/** Whether an authority has signed a certificate. @throws Error for keys that are none */
const isSignedBy = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

const comesFrom = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.fingerprint256 === authority.fingerprint256 || isSignedBy(certificate, authority);
