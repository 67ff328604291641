import 'reflect-metadata';
import { createSecureContext, type SecureContext } from 'node:tls';
import { X509CertificateGenerator } from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const oneYearMs = 365 * 24 * 3600 * 1000;

/** A certificate that the proxy shows to the browser, which does not check it. Its key never leaves this process. */
export async function makeProxyCertificate(): Promise<SecureContext> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=browser proxy',
    notBefore: new Date(Date.now() - oneYearMs),
    notAfter: new Date(Date.now() + oneYearMs),
    keys,
    signingAlgorithm: algorithm,
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return createSecureContext({
    key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
    cert: certificate.toString('pem'),
  });
}
