import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { duplexPair } from 'node:stream';
import { createSecureContext, createServer } from 'node:tls';
import {
  BasicConstraintsExtension,
  type Extension,
  type JsonName,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { ReferenceKey, TlsHandshake, TlsRequest } from '../../model/tls.ts';
import { canonicalHost } from '../guard/address.ts';
import { goodStaple } from './reference-staple.ts';
import { mustStaple } from './revocation.ts';
import { shake } from './shake.ts';
import type { Trust } from './trust.ts';

const dayMs = 86_400_000;
/** As long as certificates of public authorities usually last. */
const validDays = 90;

const algorithms: Record<ReferenceKey, (EcKeyGenParams & { hash: string }) | RsaHashedKeyGenParams> = {
  ec: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  rsa: { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
};

type Certified = { keys: CryptoKeyPair; subject: JsonName; pem: { key: string; cert: string } };

/**
 * The handshake that a request would lead to if the certificate of its host had no fault: for its name, valid now, from an authority
 * that is trusted here alone, and with a response of OCSP where one is asked for. It is made by the same instrument, with a server in memory; nothing is sent to anybody.
 */
export async function referenceHandshake(
  request: TlsRequest & { reference: ReferenceKey },
  trust: Trust,
  signal: AbortSignal,
): Promise<TlsHandshake> {
  const { host, serverName, reference } = request;
  const name = canonicalHost(serverName || host);
  const root = await certify('Reference', 'ec', [new BasicConstraintsExtension(true, undefined, true)]);
  const type = isIP(name) ? 'ip' : 'dns';
  const names = new SubjectAlternativeNameExtension([{ type, value: name }]);
  const leaf = await certify(name, reference, request.asksForStaple ? [names, mustStaple()] : [names], root);
  const authority = new X509Certificate(root.pem.cert);
  const [near, far] = duplexPair();
  const server = createServer(leaf.pem, (socket) => socket.on('error', () => {}).resume());
  server.on('OCSPRequest', (_certificate, _issuer, done) => done(null, goodStaple(leaf.pem.cert, root.pem)));
  server.emit('connection', far);
  try {
    const trusting = {
      context: createSecureContext({ ca: root.pem.cert }),
      authorities: () => [...trust.authorities(), authority],
      isOwn: () => true,
    };
    return { ...(await shake(request, near, trusting, signal)), remoteAddress: '' };
  } finally {
    far.destroy();
  }
}

/** A certificate that is valid now, signed by its issuer or by itself. Its key never leaves this process. */
async function certify(
  commonName: string,
  kind: ReferenceKey,
  extensions: Extension[],
  issuer?: Certified,
): Promise<Certified> {
  const keys = await crypto.subtle.generateKey(algorithms[kind], true, ['sign', 'verify']);
  const subject = [{ CN: [commonName] }];
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: issuer?.subject ?? subject,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + validDays * dayMs),
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    // Authorities have a key of this kind.
    signingAlgorithm: algorithms.ec,
    extensions,
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`;
  return { keys, subject, pem: { key, cert: certificate.toString('pem') } };
}
