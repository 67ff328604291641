import { request as plainRequest } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Credentials, credentialFiles, followCredentials } from '../../kit/certificates.ts';
import { createLogger } from '../../kit/logger.ts';
import { ScanService } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { makeAuthority, makeCertificate } from '../fixtures/certificates.ts';
import { withFolder } from '../support/folder.ts';
import { pemFiles, writePems } from '../support/pem-files.ts';
import { type GatewayUnderTest, startGateway } from './support.ts';

const authority = await makeAuthority('authority');
const own = await makeCertificate({ commonName: 'localhost', issuer: authority });

const test = suite('HTTPS of the gateway');

const start = (tls: () => Credentials): Promise<GatewayUnderTest> =>
  startGateway(
    (router) =>
      router.service(ScanService, {
        getScan: async () => {
          await sleep(1_000);
          return { runId: 'late' };
        },
      }),
    { tls },
  );

const portOf = ({ gateway }: GatewayUnderTest) => (gateway.app.server.address() as AddressInfo).port;

/** @returns status and body, or the code of the error */
const ask = (port: number, ca: string, agent: Agent | false = false, path = '/api/v1/scans/a') =>
  new Promise<string>((resolve) => {
    request({ port, host: '127.0.0.1', servername: 'localhost', path, ca, agent }, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (text) => (body += text))
        .on('end', () => resolve(`${response.statusCode} ${body}`));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)))
      .end();
  });

test('answers over TLS, and not to plain HTTP', async () => {
  const it = await start(() => ({ cert: own.cert, key: own.key }));
  try {
    assert.match(await ask(portOf(it), authority.cert), /^200 .*late/);
    const plain = await new Promise((resolve) => {
      plainRequest({ port: portOf(it), host: '127.0.0.1', agent: false }, ({ statusCode }) => resolve(statusCode))
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        .end();
    });
    assert.is(plain, 'ECONNRESET');
  } finally {
    await it.close();
  }
});

test('drains without failing a request in progress, and without waiting for connections that carry none', async () => {
  const it = await start(() => ({ cert: own.cert, key: own.key }));
  const kept = new Agent({ keepAlive: true });
  try {
    const idle = new Agent({ keepAlive: true });
    await ask(portOf(it), authority.cert, idle, '/api/v1/none');
    const inHand = ask(portOf(it), authority.cert, kept);
    await sleep(200);
    const startedAt = Date.now();
    await it.gateway.drain();
    assert.ok(Date.now() - startedAt < 20_000);
    assert.match(await inHand, /^200 .*late/);
    idle.destroy();
  } finally {
    kept.destroy();
    await it.close();
  }
});

test('a certificate that is replaced serves the next connection', () =>
  withFolder(async (folder) => {
    const { cert: CERT, key: KEY } = pemFiles(folder);
    await writePems(folder, { cert: own.cert, key: own.key });
    const files = credentialFiles({ CERT, KEY }, { cert: 'CERT', key: 'KEY' });
    const it = await start(followCredentials(files, createLogger('test', 'silent')));
    try {
      assert.match(await ask(portOf(it), authority.cert), /^200/);
      const other = await makeAuthority('other');
      const next = await makeCertificate({ commonName: 'localhost', issuer: other });
      await writePems(folder, { cert: next.cert, key: next.key });
      await sleep(1_100);
      assert.match(await ask(portOf(it), other.cert), /^200/);
      assert.is(await ask(portOf(it), authority.cert), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    } finally {
      await it.close();
    }
  }));

test.run();
