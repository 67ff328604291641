import { createHash, type X509Certificate } from 'node:crypto';
import { readJson } from '../../../kit/json.ts';
import type { CertificateInfo } from '../../model/tls.ts';

/** A chain of more than this many certificates is not read to its end: no real one is as long. */
const maxChain = 16;

/** The certificates from the leaf up, as far as they were sent. */
export const chainOf = (leaf: X509Certificate | undefined): CertificateInfo[] =>
  issuersOf(leaf).map(describeCertificate);

/** A certificate, its issuer, and so on, as far as they were sent. */
export function issuersOf(leaf: X509Certificate | undefined): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<string>();
  let current = leaf;
  while (current && chain.length < maxChain && !seen.has(current.fingerprint256)) {
    seen.add(current.fingerprint256);
    chain.push(current);
    current = current.issuerCertificate;
  }
  return chain;
}

export function describeCertificate(certificate: X509Certificate): CertificateInfo {
  const key = keyOf(certificate);
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    subjectAltNames: altNames(certificate.subjectAltName),
    validFrom: toTime(certificate.validFromDate),
    validTo: toTime(certificate.validToDate),
    serialNumber: certificate.serialNumber,
    fingerprint256: certificate.fingerprint256,
    ...key,
    signatureAlgorithm: signatureOf(certificate),
    isSelfSigned: isSelfSigned(certificate),
  };
}

/** Name by OpenSSL, or the object identifier of one that it does not know. */
export const signatureOf = ({ signatureAlgorithm, signatureAlgorithmOid }: X509Certificate): string =>
  signatureAlgorithm ?? signatureAlgorithmOid;

/** Key types that OpenSSL cannot read are named "unknown". */
function keyOf(certificate: X509Certificate): Pick<CertificateInfo, 'keyType' | 'keyBits' | 'publicKeyDigest'> {
  try {
    const { publicKey } = certificate;
    const { asymmetricKeyType, asymmetricKeyDetails } = publicKey;
    const curve = asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType ?? '';
    return {
      keyType: asymmetricKeyType ?? 'unknown',
      keyBits: asymmetricKeyDetails?.modulusLength ?? curveBits[curve] ?? 0,
      publicKeyDigest: createHash('sha256')
        .update(publicKey.export({ type: 'spki', format: 'der' }))
        .digest('hex'),
    };
  } catch {
    return { keyType: 'unknown', keyBits: 0, publicKeyDigest: '' };
  }
}

const curveBits: Record<string, number> = {
  prime256v1: 256,
  secp256k1: 256,
  secp384r1: 384,
  secp521r1: 521,
  ed25519: 256,
  ed448: 456,
};

/** Its own key need not be one that may sign certificates, as those of Windows and .NET are not. */
function isSelfSigned(certificate: X509Certificate): boolean {
  try {
    return namesItself(certificate) && certificate.verify(certificate.publicKey);
  } catch {
    return false;
  }
}

/** As a certificate that signs itself does, and no other should. */
export const namesItself = ({ subject, issuer }: X509Certificate): boolean => subject === issuer;

const oneLine = (name: string) => (name ?? '').split('\n').join(', ');

/** Dates of hostile certificates need not be dates. */
const toTime = (date: Date) => (Number.isNaN(date.getTime()) ? '' : date.toISOString());

/** Node writes `DNS:a.example, IP Address:192.0.2.1`, with values in JSON quotes where they could be misread. */
function altNames(text: string | undefined): string[] {
  const names = (text ?? '').matchAll(/(?:^|, )(?:DNS|IP Address|URI|email):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return [...names].map(([, value = '']) => (value.startsWith('"') ? unquote(value) : value));
}

const unquote = (value: string): string => String(readJson(value) ?? value);
