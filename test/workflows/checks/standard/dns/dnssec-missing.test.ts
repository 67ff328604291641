import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { dnssecMissing } from '../../../../../workflows/checks/standard/dns/dnssec-missing.ts';
import { namedBy, resultOf, soa } from '../../named-site.ts';

const test = suite('dns.dnssec-missing');

const place = 'dns:northwind.shop?type=DS';
const ds = { keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.from('abcd', 'hex') };
const signedTop = { 'shop DS': [ds] };

test('a domain without a signed delegation below a registry that signs is told so, for information', async () => {
  const { outcome, findings } = await resultOf(dnssecMissing, signedTop);
  assert.is(outcome.kind, 'found', outcome.reason);
  assert.equal([findings[0]?.location?.url, findings[0]?.severity], [place, Severity.INFO]);
  assert.match(findings[0]?.proof?.curl ?? '', /^dig @127\.0\.0\.1 -p \d+ \+short DS northwind\.shop$/);
});

const british = { host: 'www.northwind.co.uk' };
const britishZone = { 'northwind.co.uk SOA': [soa], 'uk DS': [ds], 'co.uk SOA': [soa] };

test('below a suffix of two labels the zone of the suffix has to be signed', async () => {
  const found = ['found', 'dns:northwind.co.uk?type=DS'];
  assert.equal(await namedBy(dnssecMissing, { ...britishZone, 'co.uk DS': [ds] }, british), found);
  assert.equal(await namedBy(dnssecMissing, britishZone, british), ['not-applicable']);
  const withoutCut = { 'northwind.co.uk SOA': [soa], 'uk DS': [ds] };
  assert.equal(await namedBy(dnssecMissing, withoutCut, british), found, 'a suffix within the zone above');
});

test('a signed delegation is clean', async () => {
  assert.equal(await namedBy(dnssecMissing, { ...signedTop, 'northwind.shop DS': [ds] }), ['clean']);
});

test('a zone whose signatures the resolver has verified is clean', async () => {
  assert.equal(await namedBy(dnssecMissing, signedTop, { verified: ['northwind.shop SOA'] }), ['clean']);
});

for (const [what, records, options] of [
  ['a registry that does not sign, or a resolver that hides it', {}, {}],
  ['a domain that is no zone of its own', { ...signedTop, 'northwind.shop SOA': [] }, {}],
  ['a page at a hosting company', { 'io DS': [ds] }, { host: 'northwind.github.io' }],
  ['a local name', { 'test DS': [ds] }, { host: 'www.northwind.test' }],
] as const) {
  test(`${what} is not applicable`, async () => {
    assert.equal(await namedBy(dnssecMissing, records, options), ['not-applicable']);
  });
}

test('what a failing name server has is not known', async () => {
  for (const question of ['northwind.shop SOA', 'northwind.shop DS'])
    assert.equal(await namedBy(dnssecMissing, signedTop, { failing: { [question]: 'SERVFAIL' } }), ['not-run']);
});

test.run();
