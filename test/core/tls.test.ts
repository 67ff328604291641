import { request as plainRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { type Client, ConnectError, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-node';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { healthService } from '../../core/health.ts';
import { createRpcServer } from '../../core/server.ts';
import { type Credentials, credentialFiles, followCredentials } from '../../kit/certificates.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { Health, HealthCheckResponse_ServingStatus as Status } from '../../proto/gen/health/v1/health_pb.ts';
import { makeAuthority, makeCertificate } from '../fixtures/certificates.ts';
import { withFolder } from '../support/folder.ts';
import { pemFiles, writePems } from '../support/pem-files.ts';
import { silent as log } from './support.ts';

const { cert: ca, ...authority } = await makeAuthority('authority');
const issuer = { cert: ca, ...authority };
const other = await makeAuthority('another authority');
const own = await makeCertificate({ commonName: 'localhost', issuer });
const client = await makeCertificate({ commonName: 'gateway', issuer });
const past = { from: -5, to: -1 };

const test = suite('TLS of core');

async function withServer<T>(credentials: () => Credentials, work: (port: number) => Promise<T>): Promise<T> {
  const server = createRpcServer(
    (router) =>
      router.service(
        Health,
        healthService([], async () => ({})),
      ),
    { credentials, log },
  );
  const port = await server.listen('127.0.0.1', 0);
  try {
    return await work(port);
  } finally {
    await server.close();
  }
}

const pairOf = ({ cert, key }: { cert: string; key: string }): Credentials => ({ cert, key });

/** Asks for the health as a client of ours does. @returns the status, or the error as text: uvu cannot show its object */
const ask = (port: number, tls: Credentials, host = 'localhost'): Promise<string> =>
  answerOf(rpcClients({ baseUrl: `https://${host}:${port}`, tls: () => tls })(Health));

const answerOf = (health: Client<typeof Health>): Promise<string> =>
  health.check({}).then(
    ({ status }) => (status === Status.SERVING ? 'SERVING' : `status ${status}`),
    (error: unknown) => String(ConnectError.from(error).message),
  );

async function refusal(answer: Promise<string>): Promise<string> {
  assert.match(await answer, /^\[unavailable\] /);
  return answer;
}

test('gRPC is served over TLS to who knows the authority', async () => {
  await withServer(
    () => pairOf(own),
    async (port) => {
      assert.is(await ask(port, { ca }), 'SERVING');
      assert.match(await refusal(ask(port, { ca: other.cert })), 'authority that is not trusted here');
      assert.match(await refusal(ask(port, {})), 'authority that is not trusted here');
      assert.match(await refusal(ask(port, { ca }, '127.0.0.1')), 'for another name');
    },
  );
});

test('a certificate of core that has expired is refused by its clients, and says so', async () => {
  const expired = await makeCertificate({ commonName: 'localhost', issuer, ...past });
  await withServer(
    () => pairOf(expired),
    async (port) => assert.match(await refusal(ask(port, { ca })), 'has expired'),
  );
});

test('with authorities for clients only theirs may connect', async () => {
  const stranger = await makeCertificate({ commonName: 'gateway', issuer: other });
  const expired = await makeCertificate({ commonName: 'gateway', issuer, ...past });
  await withServer(
    () => ({ ...pairOf(own), ca }),
    async (port) => {
      assert.is(await ask(port, { ca, ...pairOf(client) }), 'SERVING');
      assert.match(await refusal(ask(port, { ca })), 'wants a client certificate, and none was shown');
      for (const one of [stranger, expired])
        assert.match(await refusal(ask(port, { ca, ...pairOf(one) })), 'may not accept the client certificate');
    },
  );
});

test('gRPC-Web and Connect are served over HTTP/1.1 too', async () => {
  await withServer(
    () => pairOf(own),
    async (port) => {
      const options = { baseUrl: `https://localhost:${port}`, httpVersion: '1.1' as const, nodeOptions: { ca } };
      for (const transport of [createGrpcWebTransport(options), createConnectTransport(options)])
        assert.is((await createClient(Health, transport).check({})).status, Status.SERVING);
    },
  );
});

test('plain HTTP gets no answer from the TLS port', async () => {
  await withServer(
    () => pairOf(own),
    async (port) => {
      const code = await new Promise((resolve) => {
        plainRequest({ port, host: '127.0.0.1', agent: false }, ({ statusCode }) => resolve(statusCode))
          .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
          .end();
      });
      assert.is(code, 'ECONNRESET');
    },
  );
});

test('a server of plain text at an https URL is named as that', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    assert.match(await refusal(ask(port, { ca }, '127.0.0.1')), 'does not speak TLS');
  } finally {
    server.close();
  }
});

test('TLS before 1.2 is not spoken', async () => {
  await withServer(
    () => pairOf(own),
    async (port) => {
      const offer = (maxVersion: 'TLSv1.1' | 'TLSv1.2') =>
        new Promise((resolve) => {
          // At this level OpenSSL itself still speaks the old versions.
          const options = { port, host: '127.0.0.1', servername: 'localhost', ca, ciphers: 'DEFAULT@SECLEVEL=0' };
          const socket = connect({ ...options, minVersion: 'TLSv1', maxVersion }, () => {
            resolve(socket.getProtocol());
            socket.destroy();
          });
          socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
        });
      assert.is(await offer('TLSv1.2'), 'TLSv1.2');
      assert.match(String(await offer('TLSv1.1')), /ALERT_PROTOCOL_VERSION/);
    },
  );
});

test('certificates that are replaced serve the next connection, on both ends, without a restart', async () => {
  await withFolder(async (folder) => {
    const names = { cert: 'CERT', key: 'KEY', ca: 'CA' };
    const { cert: CERT, key: KEY, ca: CA } = pemFiles(folder);
    const files = credentialFiles({ CERT, KEY, CA }, names);
    await writePems(folder, { ...pairOf(own), ca });
    const server = followCredentials(files, log);
    await withServer(server, async (port) => {
      const both = { ca, ...pairOf(client) };
      assert.is(await ask(port, both), 'SERVING');
      const next = await makeCertificate({ commonName: 'localhost', issuer: other });
      const nextClient = await makeCertificate({ commonName: 'gateway', issuer: other });
      await writePems(folder, { cert: next.cert });
      await sleep(1_100);
      assert.is(await ask(port, both), 'SERVING', 'a certificate before its key changes nothing');
      await writePems(folder, { key: next.key, ca: other.cert });
      await sleep(1_100);
      assert.is(await ask(port, { ca: other.cert, ...pairOf(nextClient) }), 'SERVING');
      assert.match(await refusal(ask(port, both)), 'authority that is not trusted here');
      assert.match(await refusal(ask(port, { ...both, ca: other.cert })), 'may not accept the client certificate');
    });
  });
});

test('a client shows the certificate of the moment at each connection', async () => {
  const stranger = await makeCertificate({ commonName: 'gateway', issuer: other });
  let shown = stranger;
  await withServer(
    () => ({ ...pairOf(own), ca }),
    async (port) => {
      const tls = () => ({ ca, ...pairOf(shown) });
      const health = rpcClients({ baseUrl: `https://localhost:${port}`, tls })(Health);
      await refusal(answerOf(health));
      shown = client;
      assert.is(await answerOf(health), 'SERVING');
    },
  );
});

test.run();
