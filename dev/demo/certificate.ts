import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

cryptoProvider.set(crypto);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const authorityDays = 3_650;
const serverDays = 90;

type CertificateAuthority = { certificate: X509Certificate; keys: CryptoKeyPair };

type ServerCertificate = { keyPem: string; certificatePem: string; caFile: string };

/**
 * A certificate for `hostname` and its subdomains, issued by an authority of our own that is made once and kept in the folder.
 * Programs that should trust it read `caFile`.
 */
export async function serverCertificate(folder: string, hostname: string): Promise<ServerCertificate> {
  const authority = await openAuthority(join(folder, 'authority.pem'));
  const caFile = join(folder, 'ca.pem');
  await writeWhole(caFile, `${authority.certificate.toString('pem')}\n`, 0o644);
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${hostname}`,
    issuer: authority.certificate.subject,
    ...validFor(serverDays),
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: hostname },
        { type: 'dns', value: `*.${hostname}` },
      ]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(authority.certificate),
    ],
  });
  return { keyPem: await privatePem(keys), certificatePem: certificate.toString('pem'), caFile };
}

const validFor = (days: number) => ({
  notBefore: new Date(Date.now() - hourMs),
  notAfter: new Date(Date.now() + days * dayMs),
});

/** Key and certificate stand in one file that is put in place at once, so that two shops that start together agree. */
async function openAuthority(file: string): Promise<CertificateAuthority> {
  const kept = await readAuthority(file);
  if (kept) return kept;
  const made = await makeAuthority();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${randomUUID()}`;
  await writeFile(partial, `${await privatePem(made.keys)}\n${made.certificate.toString('pem')}\n`, { mode: 0o600 });
  try {
    await link(partial, file);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(partial);
  }
  return (await readAuthority(file)) ?? made;
}

async function readAuthority(file: string): Promise<CertificateAuthority | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const [key, certificateDer] = PemConverter.decode(text);
  if (!key || !certificateDer)
    throw new Error(`${file} does not hold a key and a certificate: delete it to make new ones`);
  const certificate = new X509Certificate(certificateDer);
  const privateKey = await crypto.subtle.importKey('pkcs8', key, algorithm, true, ['sign']);
  return { certificate, keys: { privateKey, publicKey: await certificate.publicKey.export() } };
}

async function makeAuthority(): Promise<CertificateAuthority> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Linde & Holm local authority',
    ...validFor(authorityDays),
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys };
}

const privatePem = async (keys: CryptoKeyPair): Promise<string> =>
  PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');

async function writeWhole(file: string, content: string, mode: number): Promise<void> {
  const partial = `${file}.${randomUUID()}`;
  await writeFile(partial, content, { mode });
  await rename(partial, file);
}

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;
