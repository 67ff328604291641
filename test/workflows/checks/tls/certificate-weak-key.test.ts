import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { certificateWeakKey } from '../../../../workflows/checks/tls/certificate-weak-key.check.ts';
import { makeAuthority, makeCertificate, rsa, withChain } from '../../../fixtures/certificates.ts';
import { firstRows, further } from '../../../support/further.ts';
import { host, resultFor, verdictOn } from './public-site.ts';

const test = suite('tls.certificate-weak-key');

/** What an old server would take. */
const old = { ciphers: 'ALL:@SECLEVEL=0' };
const sha1Root = await makeAuthority('Old Root', { key: rsa(2_048, 'SHA-1') });
const root = await makeAuthority('New Root', { key: rsa(2_048) });

for (const [what, make, detail] of firstRows(
  [
    [
      'a key of 1024 bits',
      () => makeCertificate({ commonName: host, key: rsa(1_024) }),
      /has a key of 1024 bits \(rsa\)\./,
    ],
    [
      'a key of 1024 bits from an authority',
      () => makeCertificate({ commonName: host, key: rsa(1_024), issuer: root }),
      /has a key of 1024 bits/,
    ],
    [
      'a signature over SHA-1',
      () => makeCertificate({ commonName: host, issuer: sha1Root }),
      /is signed with sha1WithRSAEncryption\./,
    ],
    [
      'both',
      () => makeCertificate({ commonName: host, key: rsa(1_024), issuer: sha1Root }),
      /has a key of 1024 bits \(rsa\) and is signed with sha1WithRSAEncryption\./,
    ],
    [
      'a good signature below an intermediate that was signed with SHA-1',
      async () => {
        const above = await makeAuthority('Old Intermediate', { key: rsa(2_048), issuer: sha1Root });
        return withChain(await makeCertificate({ commonName: host, issuer: above }), above);
      },
      /relies on an intermediate certificate that is signed with sha1WithRSAEncryption\./,
    ],
  ] as const,
  1,
)) {
  test(`a certificate with ${what} is found`, async () => {
    const found = await resultFor(certificateWeakKey, { ...(await make()), ...old });
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.match(found.findings[0]?.description ?? '', detail);
    assert.is(found.findings[0]?.severity, Severity.MEDIUM);
  });
}

further(test)('a key that anybody can factor is graver', async () => {
  const { key, cert } = await makeCertificate({ commonName: host, key: rsa(768) });
  const found = await resultFor(certificateWeakKey, { key, cert, ...old, maxVersion: 'TLSv1.2' });
  assert.is(found.findings[0]?.severity, Severity.HIGH, found.outcome.reason);
});

for (const [what, make] of firstRows(
  [
    ['an elliptic curve of 256 bits', () => makeCertificate({ commonName: host })],
    ['a key of 2048 bits', () => makeCertificate({ commonName: host, key: rsa(2_048) })],
    [
      'a SHA-1 signature of its own, which nobody checks',
      () => makeCertificate({ commonName: host, key: rsa(2_048, 'SHA-1') }),
    ],
    [
      'a good signature below a root that signed itself with SHA-1',
      async () => {
        const above = await makeAuthority('Cross', { issuer: root });
        return withChain(await makeCertificate({ commonName: host, issuer: above }), above, root);
      },
    ],
  ] as const,
  2,
)) {
  test(`a certificate with ${what} is clean`, async () => {
    assert.equal(await verdictOn(certificateWeakKey, { ...(await make()), ...old }), ['clean', 0]);
  });
}

test('the signature of an authority that is known counts for nothing, though another one signed it with SHA-1', async () => {
  const above = await makeAuthority('Cross-signed', { key: rsa(2_048), issuer: sha1Root });
  const tls = { ...withChain(await makeCertificate({ commonName: host, issuer: above }), above), ...old };
  assert.equal(await verdictOn(certificateWeakKey, tls, { authority: above.cert }), ['clean', 0]);
});

test.run();
