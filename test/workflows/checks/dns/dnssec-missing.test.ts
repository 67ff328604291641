import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { dnssecMissing } from '../../../../workflows/checks/dns/dnssec-missing.check.ts';
import type { CheckResult } from '../../../../workflows/checks/run-check.ts';
import type { AuthorityOptions } from '../../../fixtures/authority.ts';
import { startSignedSite } from '../../../fixtures/signed-site.ts';
import type { TreeOptions } from '../../../fixtures/signed-tree.ts';
import { runOn } from '../harness.ts';
import { namedBy } from '../named-site.ts';

const test = suite('dns.dnssec-missing');

async function resultOf(tree: TreeOptions, behaviour?: Partial<AuthorityOptions>): Promise<CheckResult> {
  const site = await startSignedSite(tree, behaviour);
  try {
    return await runOn(site.url, dnssecMissing, site.options);
  } finally {
    await site.close();
  }
}

const kindOf = async (...given: Parameters<typeof resultOf>) => (await resultOf(...given)).outcome.kind;

for (const denial of ['nsec', 'nsec3', { iterations: 0, isOptOut: true }] as const) {
  test(`an unsigned domain whose registry proves that (${JSON.stringify(denial)}) is reported so, for information`, async () => {
    const { outcome, findings } = await resultOf({ isSigned: false, registry: { denial } });
    assert.is(outcome.kind, 'found', outcome.reason);
    assert.equal([findings[0]?.location?.url, findings[0]?.severity], ['dns:northwind.shop?type=DS', Severity.INFO]);
    const script = findings[0]?.proof?.curl ?? '';
    assert.match(script, /^dig @127\.0\.0\.1 -p \d+ \+dnssec \+cdflag \+multiline SOA northwind\.shop$/m);
    assert.match(script, /^dig @127\.0\.0\.1 -p \d+ \+short DS northwind\.shop$/m);
  });
}

test('an unsigned domain is reported where only the resolver can be asked', async () => {
  assert.is(await kindOf({ isSigned: false }, { does: 'refuses' }), 'found');
});

test('below a suffix of two labels the zone of the suffix has to be signed', async () => {
  assert.is(await kindOf({ isSigned: false, domain: 'northwind.co.uk' }), 'found');
});

for (const [what, tree] of [
  ['a signed domain', {}],
  ['a domain that is signed wrongly', { zone: { until: new Date(Date.now() - 60_000) } }],
  ['a domain with an algorithm that is not known here', { algorithm: 12 }],
] as const) {
  test(`${what} is clean`, async () => {
    assert.is(await kindOf(tree), 'clean');
  });
}

test('a domain that is no zone of its own is not applicable', async () => {
  assert.is(await kindOf({ isSigned: false, zone: { hidden: ['northwind.shop SOA'] } }), 'not-applicable');
});

for (const [what, host] of [
  ['a page at a hosting company', 'northwind.github.io'],
  ['a local name', 'www.northwind.test'],
] as const) {
  test(`${what} is not applicable`, async () => {
    assert.equal(await namedBy(dnssecMissing, {}, { host }), ['not-applicable']);
  });
}

test('what no signature comes through for, and what a failing name server has, is not known', async () => {
  assert.is(await kindOf({ isSigned: false }, { does: 'refuses', strips: true }), 'not-run');
  const failing = { 'northwind.shop SOA': 'SERVFAIL' } as const;
  assert.equal(await namedBy(dnssecMissing, {}, { failing }), ['not-run']);
});

test.run();
