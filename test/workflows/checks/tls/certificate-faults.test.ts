import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type CertificateOptions,
  makeAuthority,
  makeCertificate,
  rsa,
  type TestCertificate,
  withChain,
} from '../../../fixtures/certificates.ts';
import { startNameServer } from '../../../fixtures/name-server.ts';
import { startNode } from '../../../fixtures/tls/node.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';
import { certificateChecks } from './certificate-checks.ts';
import { host } from './public-site.ts';

const test = suite('certificates with several faults, and chains of all shapes');

const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
test.after(() => names.close());

const root = await makeAuthority('Northwind Root');
const middle = await makeAuthority('Northwind Intermediate', { issuer: root });
const unknown = await makeAuthority('Northwind Office');

/** What is reported on a server with this certificate, `tls.` left out, and its descriptions. */
async function faultsOf(tls: { key: string; cert: string }): Promise<{ faults: string[]; words: string }> {
  const server = await startNode({ ...tls, ciphers: 'DEFAULT:@SECLEVEL=0' });
  const options = { dnsServer: names.address, hosts: [host], authority: root.cert };
  const audit = await openAudit(`https://${host}:${server.port}/`, options);
  try {
    const results = await Promise.all(certificateChecks.map((each) => check(audit, each)));
    const notRun = results.filter(({ outcome }) => outcome.kind === 'not-run');
    assert.equal(
      notRun.map(({ outcome }) => outcome.reason),
      [],
    );
    const findings = results.flatMap(({ findings: some }) => some);
    return {
      faults: findings.map(({ checkId = '' }) => checkId.replace(/^tls\.(?:certificate-)?/, '')),
      words: findings.map(({ description }) => description).join('\n'),
    };
  } finally {
    await Promise.all([audit.close(), server.close()]);
  }
}

const dates: Record<string, Partial<CertificateOptions>> = {
  '': {},
  expired: { from: -20, to: -1 },
  'not-yet-valid': { from: 2, to: 90 },
};
const issuers: Record<string, (leaf: Partial<CertificateOptions>) => Promise<{ key: string; cert: string }>> = {
  '': async (leaf) => withChain(await makeCertificate({ commonName: host, ...leaf, issuer: middle }), middle),
  untrusted: (leaf) => makeCertificate({ commonName: host, ...leaf }),
  'untrusted ': async (leaf) =>
    withChain(await makeCertificate({ commonName: host, ...leaf, issuer: unknown }), unknown),
  'incomplete-chain': (leaf) => makeCertificate({ commonName: host, ...leaf, issuer: middle }),
};

for (const [date, lasting] of Object.entries(dates))
  for (const [issuer, issue] of Object.entries(issuers))
    for (const name of ['', 'wrong-name']) {
      const expected = [date, issuer.trim(), name].filter((fault) => fault !== '').toSorted();
      // Single ones have tests of their own; three at once stand for two.
      if (expected.length < 2) continue;
      (expected.length > 2 ? test : further(test))(
        `${expected.join(', ')}${issuer.endsWith(' ') ? ', by a root that is sent' : ''}`,
        async () => {
          const named = name === '' ? {} : { names: ['mail.northwind.shop'] };
          assert.equal((await faultsOf(await issue({ ...lasting, ...named }))).faults.toSorted(), expected);
        },
      );
    }

further(test)('a short key is seen on an expired certificate of one’s own making, too', async () => {
  const old = await makeCertificate({ commonName: host, key: rsa(1_024), to: -0.5 });
  assert.equal((await faultsOf(old)).faults, ['expired', 'untrusted', 'weak-key']);
});

const dated = (name: string, more: Partial<CertificateOptions>) => makeAuthority(name, { issuer: root, ...more });

further(test)('an intermediate certificate that has expired, or is not valid yet, is named', async () => {
  for (const [lasting, fault, words] of [
    [{ from: -90, to: -1 }, 'expired', /relies on that of CN=Lower, which was valid until/],
    [{ from: 2, to: 90 }, 'not-yet-valid', /relies on that of CN=Lower, which is valid from/],
  ] as const) {
    const lower = await dated('Lower', lasting);
    const leaf = await makeCertificate({ commonName: host, issuer: lower });
    const seen = await faultsOf(withChain(leaf, lower));
    assert.equal(seen.faults, [fault]);
    assert.match(seen.words, words);
  }
});

/** The same authority, certified by somebody else. */
async function crossSigned(authority: TestCertificate, name: string, more: Partial<CertificateOptions>) {
  const other = await makeAuthority(name, { keys: authority.keys, ...more });
  return { ...other, keys: authority.keys };
}

further(test)(
  'of an authority that has two certificates, the expired one does no harm, in whatever order',
  async () => {
    const old = await crossSigned(middle, 'Northwind Intermediate', { issuer: unknown, from: -90, to: -1 });
    const leaf = await makeCertificate({ commonName: host, issuer: middle });
    for (const chain of [withChain(leaf, old, middle), withChain(leaf, middle, old)])
      assert.equal((await faultsOf(chain)).faults, []);
  },
);

further(test)('certificates in the wrong order, and such as have nothing to do with it, do no harm', async () => {
  const lower = await makeAuthority('Northwind Web', { issuer: middle });
  const leaf = await makeCertificate({ commonName: host, issuer: lower });
  assert.equal((await faultsOf(withChain(leaf, root, unknown, middle, lower))).faults, []);
  const old = await makeCertificate({ commonName: host, issuer: lower, to: -1 });
  assert.equal((await faultsOf(withChain(old, unknown, middle, lower))).faults, ['expired']);
  assert.equal((await faultsOf(withChain(old, unknown, lower))).faults, ['expired', 'incomplete-chain']);
});

test('an issuer that is no authority makes a certificate untrusted', async () => {
  const shop = await makeCertificate({ commonName: 'shop.example', issuer: root });
  const forged = await makeCertificate({ commonName: host, issuer: shop });
  const seen = await faultsOf(withChain(forged, shop));
  assert.equal(seen.faults, ['untrusted']);
  assert.match(seen.words, /comes from CN=shop\.example, and clients refuse it \(INVALID_PURPOSE\)/);
});

further(test)('a chain that is very long is followed to its end', async () => {
  let issuer = root;
  const above: TestCertificate[] = [];
  for (let depth = 0; depth < 9; depth += 1) {
    issuer = await makeAuthority(`Level ${depth}`, { issuer });
    above.unshift(issuer);
  }
  const [good, old] = (await Promise.all(
    [90, -0.5].map((to) => makeCertificate({ commonName: host, issuer, to })),
  )) as [TestCertificate, TestCertificate];
  assert.equal((await faultsOf(withChain(good, ...above))).faults, []);
  assert.equal((await faultsOf(withChain(old, ...above))).faults, ['expired']);
});

test.run();
