import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { request } from 'node:https';
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { healthService } from '../../core/health.ts';
import { createRpcServer, type TlsSettings } from '../../core/server.ts';
import { Health, HealthCheckResponse_ServingStatus as Status } from '../../proto/gen/health/v1/health_pb.ts';

cryptoProvider.set(crypto);
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

type Pair = { certificate: X509Certificate; keys: CryptoKeyPair; cert: string; key: string };

async function certificate(name: string, authority?: Pair): Promise<Pair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: randomBytes(8).toString('hex'),
    subject: `CN=${name}`,
    issuer: authority?.certificate.subject ?? `CN=${name}`,
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    publicKey: keys.publicKey,
    signingKey: authority?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(authority === undefined, undefined, true),
      new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  });
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate, keys, cert: certificate.toString('pem'), key: PemConverter.encode(pkcs8, 'PRIVATE KEY') };
}

const ca = await certificate('authority');
const own = await certificate('core', ca);
const client = await certificate('gateway', ca);
const stranger = await certificate('stranger', await certificate('another authority'));

const test = suite('TLS');

const serve = (tls: TlsSettings) =>
  createRpcServer(
    (router) =>
      router.service(
        Health,
        healthService([], async () => ({})),
      ),
    tls,
  );

/** Asks a server with these settings for its health. */
async function ask(tls: TlsSettings, as?: Pair): Promise<Status> {
  const server = serve(tls);
  const port = await server.listen('127.0.0.1', 0);
  try {
    const transport = createGrpcTransport({
      baseUrl: `https://127.0.0.1:${port}`,
      defaultTimeoutMs: 3_000,
      nodeOptions: { ca: ca.cert, ...(as && { cert: as.cert, key: as.key }) },
    });
    return (await createClient(Health, transport).check({})).status;
  } finally {
    await server.close();
  }
}

const isRefused = async (call: Promise<Status>): Promise<void> => {
  const status = await call.catch(() => 'refused');
  assert.is(status, 'refused');
};

test('gRPC is served over TLS', async () => {
  assert.is(await ask({ cert: own.cert, key: own.key }), Status.SERVING);
});

test('with a client CA only its clients may connect', async () => {
  const mutual = { cert: own.cert, key: own.key, clientCa: ca.cert };
  assert.is(await ask(mutual, client), Status.SERVING);
  await isRefused(ask(mutual));
  await isRefused(ask(mutual, stranger));
});

test('HTTP/1.1 clients are served too', async () => {
  const server = serve({ cert: own.cert, key: own.key });
  const port = await server.listen('127.0.0.1', 0);
  try {
    const body = await new Promise<string>((resolve, reject) => {
      const options = { method: 'POST', ca: ca.cert, agent: false, headers: { 'content-type': 'application/json' } };
      const sent = request(`https://127.0.0.1:${port}/grpc.health.v1.Health/Check`, options, (response) => {
        response.setEncoding('utf8').on('data', resolve);
      });
      sent.on('error', reject).end('{}');
    });
    assert.equal(JSON.parse(body), { status: 'SERVING' });
  } finally {
    await server.close();
  }
});

test.run();
