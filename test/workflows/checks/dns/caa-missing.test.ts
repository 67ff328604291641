import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { caaMissing } from '../../../../workflows/checks/dns/caa-missing.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';
import { namedBy, resultOf, soa } from '../named-site.ts';

const test = suite('dns.caa-missing');

const place = 'dns:northwind.shop?type=CAA';
const issue = { flags: 0, tag: 'issue', value: 'letsencrypt.org' };

test('a domain without a record is reported so, once and for information', async () => {
  const { outcome, findings } = await resultOf(caaMissing, { 'shop SOA': [soa] });
  assert.is(outcome.kind, 'found', outcome.reason);
  assert.equal([findings.length, findings[0]?.location?.url, findings[0]?.severity], [1, place, Severity.INFO]);
  assert.equal(
    findings[0]?.proof?.steps?.map(({ action }) => action?.case === 'dns' && action.value?.name),
    ['www.northwind.shop', 'northwind.shop', 'shop'],
  );
});

test('an alias that leads to no record is none', async () => {
  const alias = { alias: 'cdn.example' };
  assert.equal(await namedBy(caaMissing, { 'www.northwind.shop CAA': [alias] }), ['found', place]);
});

for (const [what, records] of [
  ['the domain', { 'northwind.shop CAA': [issue] }],
  ['the host', { 'www.northwind.shop CAA': [issue] }],
  ['the top-level domain', { 'shop CAA': [issue] }],
  [
    'the domain with a critical property that nobody knows',
    { 'northwind.shop CAA': [{ flags: 128, tag: 'tbs', value: 'x' }] },
  ],
  ['the domain, which forbids all', { 'northwind.shop CAA': [{ flags: 128, tag: 'issue', value: ';' }] }],
] as const) {
  test(`a record of ${what} is enough`, async () => {
    assert.equal(await namedBy(caaMissing, records), ['clean']);
  });
}

for (const [what, record] of Object.entries({
  'ask for reports': { flags: 0, tag: 'iodef', value: 'mailto:security@northwind.shop' },
  'are about wildcards': { flags: 0, tag: 'issuewild', value: ';' },
})) {
  test(`records that only ${what} leave open who may issue`, async () => {
    const { outcome, findings } = await resultOf(caaMissing, { 'northwind.shop CAA': [record], 'shop CAA': [issue] });
    assert.is(outcome.kind, 'found', outcome.reason);
    assert.match(findings[0]?.description ?? '', /records of northwind\.shop have no "issue"/);
  });
}

test('a name between host and domain counts, too', async () => {
  const options = { host: 'a.b.northwind.shop' };
  assert.equal(await namedBy(caaMissing, { 'b.northwind.shop CAA': [issue] }, options), ['clean']);
  assert.equal(await namedBy(caaMissing, {}, options), ['found', place]);
});

test('what a failing name server has is not known', async () => {
  const { outcome } = await resultOf(caaMissing, {}, { failing: { 'northwind.shop CAA': 'SERVFAIL' } });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /SERVFAIL for northwind\.shop/);
});

test('nobody issues certificates for local names, and a page at a hosting company cannot say who may', async () => {
  const site = await startSite(() => html('hello'));
  try {
    assert.is((await runOn(site.url, caaMissing)).outcome.kind, 'not-applicable');
  } finally {
    await site.close();
  }
  assert.equal(await namedBy(caaMissing, {}, { host: 'northwind.github.io' }), ['not-applicable']);
});

test.run();
