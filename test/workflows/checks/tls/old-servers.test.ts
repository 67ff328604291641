import { createServer } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { certificateExpired } from '../../../../workflows/checks/tls/certificate-expired.check.ts';
import { protocolOutdated } from '../../../../workflows/checks/tls/protocol-outdated.check.ts';
import { suitesRc4 } from '../../../../workflows/checks/tls/suites-rc4.check.ts';
import { makeAuthority, makeCertificate, rsa } from '../../../fixtures/certificates.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { startNode } from '../../../fixtures/tls/node.ts';
import { startScripted } from '../../../fixtures/tls/scripted.ts';
import { firstRows, further } from '../../../support/further.ts';
import { codeOf, listen } from '../../probe/support.ts';
import { check, openAudit, runOn } from '../harness.ts';
import { certificateChecks } from './certificate-checks.ts';
import { host } from './public-site.ts';

const test = suite('certificates of servers that no TLS library speaks with any more');

const key = rsa(2_048);
const root = await makeAuthority('Northwind Root', { key });
const sha1 = await makeAuthority('Old Root', { key: rsa(2_048, 'SHA-1') });
const middle = await makeAuthority('Northwind Intermediate', { key, issuer: root });
const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
test.after(() => names.close());

const options = { dnsServer: names.address, hosts: [host], authority: root.cert };

/** Checks that report something on a server of SSL 3.0 with RC4, or at another script's. */
async function found(cert: string, script = { version: 0x0300, suite: 0x0005 }): Promise<string[]> {
  const server = await startScripted({ ...script, cert });
  const audit = await openAudit(`https://${host}:${server.port}/`, options);
  try {
    const results = await Promise.all(certificateChecks.map((each) => check(audit, each)));
    assert.equal(
      results.filter(({ outcome }) => outcome.kind === 'not-run').map(({ outcome }) => outcome.reason),
      [],
    );
    return results.filter(({ findings }) => findings.length > 0).map(({ outcome }) => outcome.checkId);
  } finally {
    await Promise.all([audit.close(), server.close()]);
  }
}

for (const [what, make, expected] of firstRows(
  [
    ['is as it should be', () => makeCertificate({ commonName: host, key, issuer: root }), []],
    [
      'has ended',
      () => makeCertificate({ commonName: host, key, issuer: root, to: -0.5 }),
      ['tls.certificate-expired'],
    ],
    [
      'is about to end',
      () => makeCertificate({ commonName: host, key, issuer: root, from: -80, to: 3 }),
      ['tls.certificate-expiring'],
    ],
    [
      'has not begun',
      () => makeCertificate({ commonName: host, key, issuer: root, from: 2 }),
      ['tls.certificate-not-yet-valid'],
    ],
    ['signs itself', () => makeCertificate({ commonName: host, key }), ['tls.certificate-untrusted']],
    [
      'has 1024 bits',
      () => makeCertificate({ commonName: host, key: rsa(1_024), issuer: root }),
      ['tls.certificate-weak-key'],
    ],
    [
      'is for another host',
      () => makeCertificate({ commonName: 'mail.northwind.shop', key, issuer: root }),
      ['tls.certificate-wrong-name'],
    ],
    [
      'lacks its intermediate',
      () => makeCertificate({ commonName: host, key, issuer: middle }),
      ['tls.incomplete-chain'],
    ],
    [
      'is signed by SHA-1 from nobody known',
      () => makeCertificate({ commonName: host, key, issuer: sha1 }),
      ['tls.certificate-weak-key', 'tls.incomplete-chain'],
    ],
  ] as const,
  2,
))
  test(`one that ${what}: ${expected.join(', ') || 'nothing'}`, async () => {
    assert.equal(await found((await make()).cert), [...expected]);
  });

further(test)('one of a server with DES alone is looked at, too', async () => {
  const cert = await makeCertificate({ commonName: host, key, issuer: root, to: -0.5 });
  assert.equal(await found(cert.cert, { version: 0x0303, suite: 0x0009 }), ['tls.certificate-expired']);
});

further(test)('one of a server that demands a certificate of its clients is looked at, too', async () => {
  const cert = await makeCertificate({ commonName: host, key, issuer: root, to: -0.5 });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const server = await startNode({ ...cert, requestCert: true, ca: root.cert, maxVersion });
    try {
      const url = `https://${host}:${server.port}/`;
      assert.is((await runOn(url, certificateExpired, options)).outcome.kind, 'found');
      assert.is((await runOn(url, protocolOutdated, options)).outcome.kind, 'clean');
    } finally {
      await server.close();
    }
  }
});

test('a port for HTTPS that speaks http, hangs up or says nothing is no TLS server', async () => {
  const plain = await startSite(() => html('hello'), { host });
  const rude = await listen(
    createServer((socket) => void socket.destroy()),
    'https',
  );
  try {
    for (const { port } of [plain, rude])
      assert.match(await codeOf(openAudit(`https://${host}:${port}/`, options)), /tls_failed|unreachable/);
    assert.is((await runOn(plain.url, suitesRc4, options)).outcome.kind, 'not-applicable');
  } finally {
    await Promise.all([plain.close(), rude.close()]);
  }
});

test('a server that is gone makes checks say that they could not look', async () => {
  const certificate = await makeCertificate({ commonName: host, key, issuer: root });
  const server = await startNode(certificate);
  const audit = await openAudit(`https://${host}:${server.port}/`, options);
  await server.close();
  try {
    const { outcome } = await check(audit, suitesRc4 as Check);
    assert.equal([outcome.kind, outcome.reason.split(':')[0]], ['not-run', 'unreachable']);
  } finally {
    await audit.close();
  }
});

test.run();
