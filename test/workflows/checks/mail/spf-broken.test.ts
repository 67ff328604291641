import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { spfBroken } from '../../../../workflows/checks/mail/spf-broken.check.ts';
import { spfPermissive } from '../../../../workflows/checks/mail/spf-permissive.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { namedBy, resultOf, soa } from '../named-site.ts';

const test = suite('mail.spf-broken');

const place = 'dns:northwind.shop?type=TXT';
const spf = (text: string, more: Zone = {}): Zone => ({ 'northwind.shop TXT': [['verification=1'], [text]], ...more });
const mailer = (text: string): Zone => ({ 'spf.mailer.example TXT': [[text]], 'mailer.example SOA': [soa] });

for (const [what, text, word] of [
  ['an address without its family', 'v=spf1 ip:192.0.2.1 -all', 'ip:192.0.2.1'],
  ['a semicolon behind "all"', 'v=spf1 mx -all;', '-all;'],
  ['a network that is too narrow', 'v=spf1 ip4:192.0.2.0/33 -all', 'ip4:192.0.2.0/33'],
  ['half an address', 'v=spf1 ip4:192.0.2 -all', 'ip4:192.0.2'],
  ['a name without a mechanism', 'v=spf1 mx.northwind.shop -all', 'mx.northwind.shop'],
  ['an include of nothing', 'v=spf1 include: -all', 'include:'],
  ['two redirects', 'v=spf1 redirect=a.example.com redirect=b.example.com', 'redirect=b.example.com'],
  ['a macro that there is none of', 'v=spf1 exists:%{x}.northwind.shop -all', 'exists:%{x}.northwind.shop'],
  ['an include of a network', 'v=spf1 include:_spf.northwind.shop/24 -all', 'include:_spf.northwind.shop/24'],
  ['a network of the server that is too narrow', 'v=spf1 a/33 -all', 'a/33'],
  ['a redirect to nothing', 'v=spf1 redirect=', 'redirect='],
  ['a comma between words', 'v=spf1 a, mx -all', 'a,'],
] as const) {
  test(`${what} breaks the record`, async () => {
    const found = await resultOf(spfBroken, spf(text));
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.ok((found.findings[0]?.description ?? '').includes(`"${word}", which breaks its grammar`));
    assert.equal(await namedBy(spfPermissive, spf(text)), ['clean']);
  });
}

test('a mistake in a record that is included counts, and is shown by the way to it', async () => {
  const { findings } = await resultOf(
    spfBroken,
    spf('v=spf1 include:spf.mailer.example -all', mailer('v=spf1 ipv4:192.0.2.1 -all')),
  );
  assert.is(findings[0]?.location?.url, 'dns:spf.mailer.example?type=TXT');
  assert.equal(
    findings[0]?.proof?.steps?.map(({ action }) => action?.case === 'dns' && action.value?.name),
    ['northwind.shop', 'spf.mailer.example'],
  );
});

for (const [what, zone, detail] of [
  ['no record', { 'mailer.example SOA': [soa] }, 'has no SPF record'],
  ['other text alone', mailer('google-site-verification=1'), 'has no SPF record'],
  ['two records', { 'spf.mailer.example TXT': [['v=spf1 -all'], ['v=spf1 mx -all']] }, 'several records'],
] as const) {
  for (const leads of ['include:spf.mailer.example ~all', 'redirect=spf.mailer.example'])
    test(`"${leads}" that leads to a name with ${what} is found`, async () => {
      const { outcome, findings } = await resultOf(spfBroken, spf(`v=spf1 mx ${leads}`, zone));
      assert.is(outcome.kind, 'found', outcome.reason);
      assert.match(findings[0]?.description ?? '', detail);
      assert.is(findings[0]?.cvss?.score, 4.2);
    });
}

test('an include of a domain that lapsed is graver, since anybody may register it', async () => {
  const zone = { 'com SOA': [soa], 'com NS': ['a.gtld.example'] };
  const { findings } = await resultOf(spfBroken, spf('v=spf1 include:spf.old-mailer.com -all', zone));
  assert.match(findings[0]?.description ?? '', /registry does not have old-mailer\.com/);
  assert.is(findings[0]?.cvss?.score, 5.3);
});

test('records that lead back to themselves are found', async () => {
  assert.equal(await namedBy(spfBroken, spf('v=spf1 include:northwind.shop -all')), ['found', place]);
  const round = mailer('v=spf1 include:northwind.shop -all');
  assert.equal(await namedBy(spfBroken, spf('v=spf1 include:spf.mailer.example -all', round)), ['found', place]);
});

for (const [what, records] of [
  [
    'every mechanism',
    spf(
      'v=spf1 a mx a:www.northwind.shop/24 mx:northwind.shop//64 ptr ip4:192.0.2.0/24 IP6:2001:db8::/32 exists:%{i}._spf.northwind.shop ~all',
    ),
  ],
  ['modifiers that nobody knows', spf('v=spf1 mx ra=postmaster include=x exp=why.northwind.shop -all')],
  ['an include that has a record', spf('v=spf1 include:spf.mailer.example. -all', mailer('v=spf1 ip4:192.0.2.1 ?all'))],
  ['an include behind "all", which nobody reads', spf('v=spf1 -all include:gone.mailer.example')],
  ['lengths of networks', spf('v=spf1 a/24//64 mx:northwind.shop//48 exists:%{l1r-/}.northwind.shop -all')],
  ['a name with macros', spf('v=spf1 include:%{ir}.%{v}.spf.mailer.example -all')],
  [
    'the same include twice',
    spf('v=spf1 include:spf.mailer.example include:spf.mailer.example -all', mailer('v=spf1 -all')),
  ],
  ['no record at all', {}],
] as const) {
  test(`${what} is clean`, async () => {
    assert.equal(await namedBy(spfBroken, records), ['clean']);
  });
}

test('an included name whose servers fail is no mistake of the record, and what it includes is not known', async () => {
  const failing = { 'spf.mailer.example TXT': 'SERVFAIL' } as const;
  assert.equal(await namedBy(spfBroken, spf('v=spf1 include:spf.mailer.example -all'), { failing }), ['not-run']);
});

test('what a failing name server has is not known', async () => {
  assert.equal(await namedBy(spfBroken, {}, { failing: { 'northwind.shop TXT': 'SERVFAIL' } }), ['not-run']);
});

test.run();
