import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTrust } from '../../../../workflows/probe/tls/trust.ts';
import { certificateFor, codeOf, httpsTarget, httpTarget, listen, openFor } from '../support.ts';

const tls = suite('the TLS instrument');

tls('describes the certificate, and says why it is not trusted', async () => {
  const target = await httpsTarget((_request, response) => response.end());
  const probes = openFor(target.url);
  try {
    const handshake = await probes.tls.handshake({ host: target.host, port: target.port });
    assert.is(handshake.protocol, 'TLSv1.3');
    assert.match(handshake.cipher, /^TLS_/);
    assert.is(handshake.alpn, 'http/1.1');
    assert.is(handshake.remoteAddress, '127.0.0.1');
    assert.is(handshake.authorizationError, 'DEPTH_ZERO_SELF_SIGNED_CERT');
    const [leaf] = handshake.chain;
    assert.is(handshake.chain.length, 1);
    assert.is(leaf?.subject, 'CN=shop.localhost');
    assert.equal(leaf?.subjectAltNames, ['shop.localhost']);
    assert.is(leaf?.serialNumber, '2A');
    assert.is(leaf?.keyType, 'ec');
    assert.is(leaf?.keyBits, 256);
    assert.match(leaf?.signatureAlgorithm ?? '', /sha256/i);
    assert.ok(leaf?.isSelfSigned);
    assert.ok(Date.parse(leaf?.validFrom ?? '') < Date.now() && Date.parse(leaf?.validTo ?? '') > Date.now());
    assert.is(probes.requests(), 1);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

tls('trusts the authorities of the settings, and still checks name and dates', async () => {
  const day = 24 * 3_600_000;
  const good = await certificateFor('shop.localhost');
  const other = await certificateFor('other.localhost');
  const old = await certificateFor('shop.localhost', {
    notBefore: new Date(Date.now() - 2 * day),
    notAfter: new Date(Date.now() - day),
  });
  const expected: [certificate: typeof good, error: string][] = [
    [good, ''],
    [other, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [old, 'CERT_HAS_EXPIRED'],
  ];
  for (const [certificate, error] of expected) {
    const target = await listen(createTlsServer(certificate), 'https');
    const probes = openFor(target.url, { trust: createTrust(certificate.cert) });
    try {
      const handshake = await probes.tls.handshake({ host: target.host, port: target.port });
      assert.is(handshake.authorizationError, error);
      assert.is(handshake.isPubliclyTrusted, false, 'others have not got these settings');
    } finally {
      await Promise.all([probes.close(), target.close()]);
    }
  }
});

tls('sees servers that only speak old versions and weak ciphers', async () => {
  const certificate = await certificateFor('shop.localhost');
  for (const version of ['TLSv1', 'TLSv1.1', 'TLSv1.2'] as const) {
    const server = createTlsServer({
      ...certificate,
      minVersion: version,
      maxVersion: version,
      ciphers: 'ALL:@SECLEVEL=0',
    });
    const target = await listen(server, 'https');
    const probes = openFor(target.url);
    try {
      assert.is((await probes.tls.handshake({ host: target.host, port: target.port })).protocol, version);
    } finally {
      await Promise.all([probes.close(), target.close()]);
    }
  }
});

tls('offers the versions that it is given', async () => {
  const server = createTlsServer({ ...(await certificateFor('shop.localhost')), minVersion: 'TLSv1.2' });
  const target = await listen(server, 'https');
  const probes = openFor(target.url);
  const { host, port } = target;
  try {
    const versions = [
      await probes.tls.handshake({ host, port, maxVersion: 'TLSv1.2' }),
      await probes.tls.handshake({ host, port, minVersion: 'TLSv1.3' }),
      await probes.tls.handshake({ host, port }),
    ].map(({ protocol }) => protocol);
    assert.equal(versions, ['TLSv1.2', 'TLSv1.3', 'TLSv1.3']);
    assert.is(await codeOf(probes.tls.handshake({ host, port, maxVersion: 'TLSv1.1' })), 'tls_failed');
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

tls('sends the server name that it is given, or none', async () => {
  const names: unknown[] = [];
  const server = createTlsServer(await certificateFor('shop.localhost'), (socket) => {
    names.push(socket.servername);
  });
  const target = await listen(server, 'https');
  const probes = openFor(target.url);
  try {
    for (const serverName of [undefined, 'else.example', ''])
      await probes.tls.handshake({
        host: target.host,
        port: target.port,
        ...(serverName === undefined ? {} : { serverName }),
      });
    assert.equal(names, ['shop.localhost', 'else.example', false]);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

tls('names a server without TLS, one that stalls and one that is not there', async () => {
  const plain = await httpTarget((_request, response) => response.end());
  const silent = await listen(
    createTcpServer(() => {}),
    'https',
  );
  const closed = await httpTarget(() => {});
  await closed.close();
  try {
    for (const [target, code] of [
      [plain, 'tls_failed'],
      [silent, 'timeout'],
      [closed, 'unreachable'],
    ] as const) {
      const probes = openFor(target.url);
      const startMs = performance.now();
      const timeoutMs = code === 'timeout' ? 500 : 20_000;
      assert.is(await codeOf(probes.tls.handshake({ host: target.host, port: target.port, timeoutMs })), code);
      assert.ok(performance.now() - startMs < 10_000);
      await probes.close();
    }
  } finally {
    await Promise.all([plain.close(), silent.close()]);
  }
});

tls.run();
