import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dmarcMissing } from '../../../../workflows/checks/mail/dmarc-missing.check.ts';
import { dmarcNone } from '../../../../workflows/checks/mail/dmarc-none.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';
import { namedBy, resultOf } from '../named-site.ts';

const test = suite('mail.dmarc-missing and mail.dmarc-none');

const name = '_dmarc.northwind.shop';
const place = `dns:${name}?type=TXT`;
const published = (...texts: string[]) => ({ [`${name} TXT`]: texts.map((text) => [text]) });

for (const [what, records] of [
  ['nothing', {}],
  ['text of a wildcard record', published('v=spf1 -all')],
  ['a record of another version', published('v=DMARC12; p=reject')],
  ['a record that does not begin with its version', published('p=reject; v=DMARC1')],
  ['a record of another type', { [`${name} A`]: ['192.0.2.1'] }],
  ['a record below the host only', { '_dmarc.www.northwind.shop TXT': [['v=DMARC1; p=reject']] }],
] as const) {
  test(`a domain that has ${what} lacks DMARC, and has no policy to judge`, async () => {
    assert.equal(await namedBy(dmarcMissing, records), ['found', place]);
    assert.equal(await namedBy(dmarcNone, records), ['not-applicable']);
  });
}

for (const [what, text] of [
  ['none', 'v=DMARC1; p=none; rua=mailto:d@northwind.shop'],
  ['none in capitals without spaces', 'v=DMARC1;p=NONE'],
  ['none with its words in another order', 'v=DMARC1 ; pct=100 ; sp=reject ; p = none ;'],
  ['nothing, which counts as none', 'v=DMARC1; rua=mailto:d@northwind.shop'],
  ['a misspelt word, which counts as none', 'v=DMARC1; p=rejected'],
  ['none for subdomains', 'v=DMARC1; p=quarantine; sp=none'],
  ['quarantine for 0 % of mail', 'v=DMARC1; p=quarantine; pct=0'],
  ['quarantine that is being tried', 'v=DMARC1; p=quarantine; t=y; rua=mailto:d@northwind.shop'],
  ['none for subdomains, there or not', 'v=DMARC1; p=reject; np=none; sp = None'],
] as const) {
  test(`a policy of ${what} lets forged mail through, and is not called missing`, async () => {
    assert.equal(await namedBy(dmarcNone, published(text)), ['found', place]);
    assert.equal(await namedBy(dmarcMissing, published(text)), ['clean']);
  });
}

for (const [what, texts] of [
  ['reject', ['v=DMARC1; p=reject']],
  ['quarantine', ['v=DMARC1; p=quarantine; sp=quarantine']],
  ['quarantine for some mail', ['v=DMARC1; p=quarantine; pct=10; t=n']],
  ['reject that is being tried, which puts aside', ['v=DMARC1; p=reject; pct=0']],
  ['none for the subdomains that there are', ['v=DMARC1; p=reject; sp=none; np=reject']],
  ['reject in several strings beside another text', ['site-verification=p=none', 'v=DMARC1; p=reject; sp=reject']],
] as const) {
  test(`${what} is clean`, async () => {
    assert.equal(await namedBy(dmarcNone, published(...texts)), ['clean']);
    assert.equal(await namedBy(dmarcMissing, published(...texts)), ['clean']);
  });
}

test('two records are none, and no policy to judge', async () => {
  const records = published('v=DMARC1; p=none', 'v=DMARC1; p=reject');
  assert.equal(await namedBy(dmarcMissing, records), ['found', place]);
  assert.equal(await namedBy(dmarcNone, records), ['clean']);
});

test('a host that takes mail itself is judged by its own record, where it has one', async () => {
  const own = {
    ...published('v=DMARC1; p=reject'),
    'www.northwind.shop MX': [{ preference: 10, exchange: 'mx.northwind.shop' }],
  };
  assert.equal(await namedBy(dmarcNone, own), ['clean']);
  const open = { ...own, '_dmarc.www.northwind.shop TXT': [['v=DMARC1; p=none']] };
  assert.equal(await namedBy(dmarcNone, open), ['found', 'dns:_dmarc.www.northwind.shop?type=TXT']);
});

test('a record that is kept with a mail service counts, and an alias that leads to none does not', async () => {
  const alias = { alias: 'northwind.dmarc.service.example' };
  assert.equal(await namedBy(dmarcMissing, { [`${name} TXT`]: [alias, ['v=DMARC1; p=reject']] }), ['clean']);
  assert.equal(await namedBy(dmarcMissing, { [`${name} TXT`]: [alias] }), ['found', place]);
});

test('what a failing name server has is not known', async () => {
  for (const check of [dmarcMissing, dmarcNone]) {
    const { outcome } = await resultOf(check, {}, { failing: { [`${name} TXT`]: 'SERVFAIL' } });
    assert.is(outcome.kind, 'not-run');
    assert.match(outcome.reason, /SERVFAIL/);
  }
});

test('names that are not on the public internet have no mail to forge', async () => {
  const site = await startSite(() => html('hello'));
  try {
    for (const check of [dmarcMissing, dmarcNone])
      assert.is((await runOn(site.url, check)).outcome.kind, 'not-applicable');
  } finally {
    await site.close();
  }
});

test.run();
