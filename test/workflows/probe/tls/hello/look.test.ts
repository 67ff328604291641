import 'reflect-metadata';
import { connect, createServer } from 'node:net';
import { createSecureContext, createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { AuthorityInfoAccessExtension, CRLDistributionPointsExtension, Extension } from '@peculiar/x509';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeCertificate, rsa } from '../../../../fixtures/certificates.ts';
import { further } from '../../../../support/further.ts';
import { codeOf, listen, openFor, type Target } from '../../support.ts';

const test = suite('a look at what a server speaks');

const host = 'shop.localhost';
const certificate = await makeCertificate({ commonName: host, key: rsa(2_048) });
const other = await makeCertificate({ commonName: 'other.localhost', key: rsa(2_048) });

async function lookAt(target: Target) {
  const probes = openFor(target.url);
  try {
    return await probes.tls.look({ host, port: target.port });
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
}

const tlsTarget = (options: TlsOptions): Promise<Target> => {
  const server = createTlsServer({ ...certificate, ...options });
  server.on('tlsClientError', () => {});
  return listen(server, 'https');
};

test('is made once, in few hellos, and by no more connections than the budget has', async () => {
  const target = await tlsTarget({});
  const probes = openFor(target.url);
  try {
    const server = { host, port: target.port };
    const [one, two] = await Promise.all([probes.tls.look(server), probes.tls.look(server)]);
    const connections = target.connections();
    assert.is(one, two);
    assert.is(await probes.tls.look(server), one);
    assert.is(target.connections(), connections);
    assert.ok(connections < 90, `${connections} connections`);
    assert.ok(target.mostAtOnce() <= 5, `${target.mostAtOnce()} at once`);
  } finally {
    await Promise.all([probes.close(), target.close()]);
  }
});

test('names versions, suites, groups, signatures and protocols', async () => {
  const look = await lookAt(
    await tlsTarget({
      ciphers: 'TLS_AES_128_GCM_SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384',
      minVersion: 'TLSv1.2',
      ecdhCurve: 'P-384:X25519',
      sigalgs: 'RSA+SHA256:RSA-PSS+SHA256',
      ALPNProtocols: ['h2', 'http/1.1'],
    }),
  );
  const [tls12, tls13] = look.versions;
  assert.equal([tls12?.version, tls13?.version], ['TLSv1.2', 'TLSv1.3']);
  assert.equal(tls12?.suites.map(({ name }) => name).toSorted(), [
    'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
  ]);
  assert.equal(look.groups.toSorted(), ['secp384r1', 'x25519']);
  assert.equal(look.signatures.toSorted(), ['rsa_pkcs1_sha256', 'rsa_pss_rsae_sha256']);
  assert.equal(look.alpn.toSorted(), ['h2', 'http/1.1']);
  assert.equal([look.compresses, look.isRenegotiationSecure, look.asksForCertificate], [false, true, false]);
  assert.equal(look.revocation, { mustStaple: false, ocsp: [], crl: [] });
});

further(test)('sees that a certificate of the client is asked for, and that the name matters', async () => {
  const asking = await lookAt(await tlsTarget({ requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }));
  assert.ok(asking.asksForCertificate);
  assert.is(asking.withoutServerName, 'same');
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const range = { maxVersion, minVersion: maxVersion };
    const named = await lookAt(
      await tlsTarget({
        ...other,
        ...range,
        SNICallback: (_name, done) => done(null, createSecureContext(certificate)),
      }),
    );
    assert.is(named.withoutServerName, 'other', maxVersion);
  }
});

further(test)('sees responses of OCSP in every version, and what the certificate says of its revocation', async () => {
  const feature = new Extension('1.3.6.1.5.5.7.1.24', false, new Uint8Array([0x30, 0x03, 0x02, 0x01, 0x05]));
  const extensions = [
    feature,
    new AuthorityInfoAccessExtension({ ocsp: 'http://ocsp.example/' }),
    new CRLDistributionPointsExtension(['http://crl.example/all.crl']),
  ];
  const stapling = await makeCertificate({ commonName: host, extensions });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
    for (const isStapled of [true, false]) {
      const target = await tlsTarget({ ...stapling, minVersion: maxVersion, maxVersion });
      const answer = (_certificate: Buffer, _issuer: Buffer, done: (error: null, response: Buffer) => void) =>
        done(null, Buffer.from('response'));
      if (isStapled) target.server.on('OCSPRequest', answer);
      const look = await lookAt(target);
      assert.is(look.isStapled, isStapled, maxVersion);
      const addresses = { ocsp: ['http://ocsp.example/'], crl: ['http://crl.example/all.crl'] };
      assert.equal(look.revocation, { mustStaple: true, ...addresses }, maxVersion);
    }
});

test('recognises by its name a server that speaks HTTP/2 alone', async () => {
  const look = await lookAt(await tlsTarget({ ALPNProtocols: ['h2'] }));
  assert.equal([look.alpn, look.withoutServerName], [['h2'], 'same']);
});

test('does not say that a server lacks what it speaks with others', async () => {
  const behind = await tlsTarget({});
  const padding = Buffer.from([0, 21, 0]);
  const choosy = await listen(
    createServer((socket) => {
      socket.once('data', (record: Buffer) => {
        if (record.includes(padding)) return void socket.end(Buffer.from([21, 3, 3, 0, 2, 2, 110]));
        const through = connect(behind.port, '127.0.0.1');
        through.on('error', () => socket.destroy()).write(record);
        socket
          .on('error', () => through.destroy())
          .pipe(through)
          .pipe(socket);
      });
    }),
    'https',
  );
  assert.is(await codeOf(lookAt(choosy)), 'protocol_error');
  await behind.close();
});

test('takes it for a refusal when an offer alone is met with silence', async () => {
  const behind = await tlsTarget({});
  const firewall = await listen(
    createServer((socket) => {
      socket.once('data', (record: Buffer) => {
        if (record[2] === 0) return;
        const through = connect(behind.port, '127.0.0.1');
        through.on('error', () => socket.destroy()).write(record);
        socket
          .on('error', () => through.destroy())
          .pipe(through)
          .pipe(socket);
      });
    }),
    'https',
  );
  const look = await lookAt(firewall);
  await behind.close();
  assert.equal(
    look.versions.map(({ version }) => version),
    ['TLSv1.2', 'TLSv1.3'],
  );
});

test('says why there is nothing to look at', async () => {
  for (const [answer, code] of [
    ['220 mail ready\r\n', 'tls_failed'],
    ['', 'tls_failed'],
  ] as const) {
    const target = await listen(
      createServer((socket) => void socket.end(answer)),
      'https',
    );
    assert.is(await codeOf(lookAt(target)), code);
  }
});

test.run();
