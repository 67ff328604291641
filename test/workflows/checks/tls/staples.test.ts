import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { certificateRevoked } from '../../../../workflows/checks/tls/certificate-revoked.check.ts';
import { stapleMissing } from '../../../../workflows/checks/tls/staple-missing.check.ts';
import { mustStaple } from '../../../../workflows/probe/tls/revocation.ts';
import { makeAuthority, makeCertificate, type TestCertificate } from '../../../fixtures/certificates.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { startNode } from '../../../fixtures/tls/node.ts';
import { stapleFor, tryLater } from '../../../fixtures/tls/staples.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('tls.staple-missing and tls.certificate-revoked');

const host = 'www.northwind.shop';
const root = await makeAuthority('Northwind Root');
const plain = await makeCertificate({ commonName: host, issuer: root });
const demanding = await makeCertificate({ commonName: host, issuer: root, extensions: [mustStaple()] });

/** What both checks come to, and the text of what they found. */
async function verdict(pem: TestCertificate, staple?: Buffer, options: { maxVersion?: 'TLSv1.2' } = {}) {
  const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
  const site = await startNode({ ...pem, ...options }, staple);
  const audit = await openAudit(`https://${host}:${site.port}/`, {
    dnsServer: names.address,
    hosts: [host],
    authority: root.cert,
  });
  try {
    const missing = await check(audit, stapleMissing);
    const revoked = await check(audit, certificateRevoked);
    const findings = [...missing.findings, ...revoked.findings];
    return {
      kinds: [missing.outcome.kind, revoked.outcome.kind],
      text: findings.map(({ description }) => description).join('\n'),
      command: findings[0]?.proof?.curl ?? '',
      severity: revoked.findings[0]?.severity,
    };
  } finally {
    await Promise.all([audit.close(), site.close()]);
    names.close();
  }
}

test('a certificate that demands a response and comes without one is found, with a command that asks for it', async () => {
  const found = await verdict(demanding);
  assert.equal(found.kinds, ['found', 'clean']);
  assert.match(found.text, /the server sends none/);
  assert.match(found.command, /^openssl s_client .* -status <\/dev\/null/m);
});

for (const [what, staple, words] of firstRows(
  [
    ['that has expired', await stapleFor(demanding, root, 'over'), /has expired/],
    ['for another certificate', await stapleFor(demanding, root, 'foreign'), /another certificate/],
    ['of a responder that does not know it', await stapleFor(demanding, root, 'unknown'), /does not know/],
    ['that says to try later', tryLater, /error of the responder/],
    ['that is none', Buffer.from('response'), /cannot be read/],
  ] as const,
  2,
))
  further(test)(`a response ${what} does not serve a certificate that demands one`, async () => {
    const found = await verdict(demanding, staple);
    assert.equal(found.kinds, ['found', 'clean']);
    assert.match(found.text, words);
  });

further(test)(
  'a response that revokes the certificate is one finding, whether it is demanded or not, in TLS 1.2 and 1.3',
  async () => {
    const demanded = await verdict(demanding, await stapleFor(demanding, root, 'revoked'), { maxVersion: 'TLSv1.2' });
    assert.equal(demanded.kinds, ['clean', 'found']);
    const given = await verdict(plain, await stapleFor(plain, root, 'revoked'));
    assert.is(given.severity, Severity.MEDIUM, 'that somebody has the key is not shown');
    assert.equal(given.kinds, ['clean', 'found']);
  },
);

for (const [what, pem, staple] of [
  ['a good response where one is demanded', demanding, await stapleFor(demanding, root, 'good')],
  ['a certificate that demands none, without one', plain, undefined],
  ['a certificate that demands none, with one that has expired', plain, await stapleFor(plain, root, 'over')],
] as const)
  test(`${what} is clean`, async () => {
    assert.equal((await verdict(pem, staple)).kinds, ['clean', 'clean']);
  });

test.run();
