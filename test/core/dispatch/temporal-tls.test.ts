import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect as connectTcp, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { NativeConnection } from '@temporalio/worker';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectTemporal } from '../../../core/dispatch/temporal.ts';
import type { TemporalSettings } from '../../../kit/temporal-settings.ts';
import { makeAuthority, makeCertificate } from '../../fixtures/certificates.ts';
import { testTemporal } from '../../support/servers.ts';
import { fails } from '../support.ts';

const authority = await makeAuthority('authority');
const server = await makeCertificate({ commonName: 'temporal.internal', issuer: authority });
const client = await makeCertificate({ commonName: 'core', issuer: authority });
const stranger = await makeCertificate({ commonName: 'core', issuer: await makeAuthority('another authority') });

const serverRootCACertificate = Buffer.from(authority.cert);
const pairOf = ({ cert, key }: { cert: string; key: string }) => ({ crt: Buffer.from(cert), key: Buffer.from(key) });
const trusting = { serverRootCACertificate, serverNameOverride: 'temporal.internal' };

const test = suite('TLS to Temporal');

/** The real server behind an end of TLS that wants client certificates. */
async function withTlsTemporal(work: (address: string) => Promise<void>): Promise<void> {
  const { address } = await testTemporal();
  const { hostname, port } = new URL(`http://${address}`);
  const sockets = new Set<Socket>();
  const options = { cert: server.cert, key: server.key, ca: authority.cert, requestCert: true, ALPNProtocols: ['h2'] };
  const proxy = createServer(options, (near) => {
    const far = connectTcp(Number(port), hostname);
    for (const one of [near, far]) {
      sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          near.destroy();
          far.destroy();
        });
    }
    near.pipe(far).pipe(near);
  });
  proxy.on('tlsClientError', () => {});
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  try {
    await work(`127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  }
}

async function check(settings: Omit<TemporalSettings, 'namespace' | 'taskQueuePrefix'>): Promise<void> {
  const temporal = connectTemporal({ ...settings, namespace: 'default', taskQueuePrefix: 'test' });
  try {
    await temporal.check();
  } finally {
    await temporal.close();
  }
}

test('core and worker reach a Temporal that wants client certificates, and only with one of its authority', () =>
  withTlsTemporal(async (address) => {
    const tls = { ...trusting, clientCertPair: pairOf(client) };
    await check({ address, tls });
    const connection = await NativeConnection.connect({ address, tls });
    await connection.close();
    await fails(check({ address, tls: { ...trusting, clientCertPair: pairOf(stranger) } }), /./);
    await fails(check({ address, tls: trusting }), /./);
    await fails(check({ address }), /./);
  }));

test('the server is known by its authority and its name', () =>
  withTlsTemporal(async (address) => {
    const clientCertPair = pairOf(client);
    await fails(check({ address, tls: { clientCertPair, serverNameOverride: 'temporal.internal' } }), /./);
    await fails(check({ address, tls: { clientCertPair, serverRootCACertificate } }), /./);
  }));

test('an API key travels as a bearer token', async () => {
  const keys: unknown[] = [];
  const stub = createSecureServer({ cert: server.cert, key: server.key });
  stub.on('stream', (stream, headers) => {
    keys.push(headers.authorization);
    // gRPC: UNIMPLEMENTED.
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' }, { endStream: true });
  });
  await once(stub.listen(0, '127.0.0.1'), 'listening');
  try {
    const address = `127.0.0.1:${(stub.address() as AddressInfo).port}`;
    await fails(check({ address, tls: trusting, apiKey: 'cloud-key' }), /./);
    assert.is(keys.at(-1), 'Bearer cloud-key');
  } finally {
    stub.close();
  }
});

test.run();
