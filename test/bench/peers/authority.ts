import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** PEM. */
export type Issued = { key: string; cert: string };

/** Issues certificates with every extension that the tools insist on (RFC 5280 §4.2), so that none is blamed on purpose. */
export type Authority = { cert: string; issue(name: string): Promise<Issued> };

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
};
const dayMs = 86_400_000;
const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

export async function makeAuthority(): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Bench authority',
    ...validFor(-1, 365),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const issuer = { certificate, signingKey: keys.privateKey };
  return {
    cert: certificate.toString('pem'),
    issue: async (name) => issue(name, await newKeys(), issuer, validFor(-1, 90)),
  };
}

/** One that nobody vouches for, and whose time has ended. */
export async function makeExpired(name: string): Promise<Issued> {
  const keys = await newKeys();
  return issue(name, keys, { signingKey: keys.privateKey }, validFor(-90, -10));
}

type Issuer = { certificate?: X509Certificate; signingKey: CryptoKey };

async function issue(
  name: string,
  keys: CryptoKeyPair,
  { certificate, signingKey }: Issuer,
  time: object,
): Promise<Issued> {
  const issued = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: certificate?.subject ?? `CN=${name}`,
    ...time,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(certificate ?? keys.publicKey),
    ],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`, cert: issued.toString('pem') };
}

const validFor = (fromDays: number, toDays: number) => ({
  notBefore: new Date(Date.now() + fromDays * dayMs),
  notAfter: new Date(Date.now() + toDays * dayMs),
});
