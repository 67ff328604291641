import 'reflect-metadata';
import { PemConverter, X509CertificateGenerator } from '@peculiar/x509';
import type { Credentials } from '../kit/certificates.ts';

const validForMs = 10 * 365 * 24 * 3_600_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A certificate that nobody trusts: many clients that call back do not look, and the others have named the host by then. */
export async function ownCertificate(): Promise<Credentials> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=callbacks',
    notBefore: new Date(),
    notAfter: new Date(Date.now() + validForMs),
    signingAlgorithm: algorithm,
    keys,
  });
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: PemConverter.encode(pkcs8, 'PRIVATE KEY') };
}
