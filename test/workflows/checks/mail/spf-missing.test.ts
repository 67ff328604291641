import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { spfMissing } from '../../../../workflows/checks/mail/spf-missing.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { runOn } from '../harness.ts';
import { type NamedOptions, resultOf, soa } from '../named-site.ts';

const test = suite('mail.spf-missing');

const result = (records: Zone, options?: NamedOptions) => resultOf(spfMissing, records, options);

const found = async (records: Zone) => {
  const { findings, outcome } = await result(records);
  return { kind: outcome.kind, urls: findings.map(({ location }) => location?.url) };
};

test('a domain without text records is found, by the domain and not by the host', async () => {
  assert.equal(await found({}), { kind: 'found', urls: ['dns:northwind.shop?type=TXT'] });
});

for (const [what, text] of firstRows(
  [
    ['other text records only', 'google-site-verification=abc'],
    ['a record of another version', 'v=spf10 -all'],
    ['a record that does not begin with its version', 'spf: v=spf1 -all'],
    ['a record of the next generation only', 'spf2.0/pra -all'],
  ] as const,
  2,
)) {
  test(`a domain with ${what} is found`, async () => {
    assert.is((await found({ 'northwind.shop TXT': [[text]] })).kind, 'found');
  });
}

for (const [what, texts] of firstRows(
  [
    ['a record', [['v=spf1 -all']]],
    ['a record in capitals', [['V=SPF1 include:_spf.example.com ~all']]],
    ['a record that is its version alone', [['v=spf1']]],
    ['a record in several strings', [['v=sp', 'f1 -all']]],
    ['a record among others', [['something'], ['v=spf1 mx -all']]],
  ] as const,
  2,
)) {
  test(`a domain with ${what} is clean`, async () => {
    assert.is((await found({ 'northwind.shop TXT': [...texts] })).kind, 'clean');
  });
}

test('a domain with two records is found, as receivers take neither', async () => {
  const { findings } = await result({
    'northwind.shop TXT': [['v=spf1 mx -all'], ['v=spf1 include:_spf.example.com -all']],
  });
  assert.match(findings[0]?.description ?? '', /has 2 SPF records, of which receivers take none/);
});

test('a host that takes mail itself needs a record of its own', async () => {
  const records = {
    'northwind.shop TXT': [['v=spf1 -all']],
    'www.northwind.shop MX': [{ preference: 10, exchange: 'mx.northwind.shop' }],
  };
  assert.equal(await found(records), { kind: 'found', urls: ['dns:www.northwind.shop?type=TXT'] });
});

test('a host that says that it takes no mail needs none', async () => {
  const records = {
    'northwind.shop TXT': [['v=spf1 -all']],
    'www.northwind.shop MX': [{ preference: 0, exchange: '.' }],
  };
  assert.is((await found(records)).kind, 'clean');
});

test('a domain that has a missing record behind its name server’s failure is not run', async () => {
  const { outcome } = await result({}, { failing: { 'northwind.shop TXT': 'SERVFAIL' } });
  assert.is(outcome.kind, 'not-run');
  assert.match(outcome.reason, /SERVFAIL/);
});

test('the command asks for the same record', async () => {
  const { findings } = await result({});
  assert.match(findings[0]?.proof?.curl ?? '', /^dig @127\.0\.0\.1 -p \d+ \+short TXT northwind\.shop$/);
});

test('a page at a hosting company has no mail domain of its own, a domain of a customer there has', async () => {
  const host = 'northwind.github.io';
  assert.is((await result({}, { host })).outcome.kind, 'not-applicable');
  assert.is((await result({ [`${host} SOA`]: [soa] }, { host })).outcome.kind, 'found');
});

test('names that are not on the public internet have no mail to forge', async () => {
  const site = await startSite(() => html('hello'));
  try {
    assert.is((await runOn(site.url, spfMissing)).outcome.kind, 'not-applicable');
  } finally {
    await site.close();
  }
});

test.run();
