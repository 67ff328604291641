import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { spfVoidLookups } from '../../../../workflows/checks/mail/spf-void-lookups.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { firstRows } from '../../../support/further.ts';
import { namedBy, resultOf } from '../named-site.ts';

const test = suite('mail.spf-void-lookups');

const place = 'dns:northwind.shop?type=TXT';
const domain = 'northwind.shop TXT';

test('three hosts of one record that are gone are found, and each question is shown', async () => {
  const found = await resultOf(spfVoidLookups, {
    [domain]: [['v=spf1 a:old1.northwind.shop mx:old2.northwind.shop exists:old3.northwind.shop -all']],
  });
  assert.is(found.outcome.kind, 'found', found.outcome.reason);
  assert.match(found.findings[0]?.description ?? '', /3 lead nowhere, beginning with "a:old1\.northwind\.shop"/);
  const notes = found.findings[0]?.proof?.steps?.map(({ note }) => note) ?? [];
  assert.ok(
    notes.includes('old1.northwind.shop has no AAAA record.') &&
      notes.includes('old2.northwind.shop has no MX record.'),
  );
});

test('hosts that are gone in included records count as well, and the way there is shown', async () => {
  const found = await resultOf(spfVoidLookups, {
    [domain]: [['v=spf1 mx include:_a.northwind.shop -all']],
    '_a.northwind.shop TXT': [['v=spf1 a a:gone.northwind.shop/24 ~all']],
  });
  assert.is(found.outcome.kind, 'found', found.outcome.reason);
  assert.match(
    JSON.stringify(found.findings[0]?.proof?.steps?.map(({ note }) => note)),
    /goes on to that of _a\.northwind\.shop/,
  );
});

test('one host is enough when the registry does not have its domain', async () => {
  const soa = { mname: 'a.nic.net', rname: 'nic.net', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };
  const found = await resultOf(spfVoidLookups, {
    [domain]: [['v=spf1 a:mail.lapsed-newsletters.net -all']],
    'net SOA': [soa],
  });
  assert.is(found.outcome.kind, 'found', found.outcome.reason);
  assert.match(found.findings[0]?.description ?? '', /registry does not have lapsed-newsletters\.net/);
});

const gone = 'a:old1.northwind.shop a:old2.northwind.shop';
for (const [what, zone] of firstRows(
  [
    ['two hosts that are gone', { [domain]: [[`v=spf1 ${gone} -all`]] }],
    [
      'one host that is gone, in three places',
      { [domain]: [['v=spf1 a:x.northwind.shop ?a:x.northwind.shop/24 ~a:x.northwind.shop/28 -all']] },
    ],
    [
      'hosts with addresses of one kind',
      { [domain]: [[`v=spf1 ${gone} a:six.northwind.shop -all`]], 'six.northwind.shop AAAA': ['2001:db8::1'] },
    ],
    ['names with macros', { [domain]: [[`v=spf1 ${gone} exists:%{i}.northwind.shop a:%{d} -all`]] }],
    ['words that no receiver comes to', { [domain]: [[`v=spf1 ${gone} -all mx a:more.northwind.shop`]] }],
    ['a domain without a record', {}],
  ] as const satisfies [string, Zone][],
  2,
))
  test(`${what} are clean`, async () => assert.equal(await namedBy(spfVoidLookups, zone), ['clean']));

test('hosts whose name servers fail are not void, and not known', async () => {
  const failing = { 'x.northwind.shop A': 'SERVFAIL' } as const;
  const zone = { [domain]: [[`v=spf1 ${gone} a:x.northwind.shop -all`]] };
  const { outcome } = await resultOf(spfVoidLookups, zone, { failing });
  assert.equal(
    [outcome.kind, ...outcome.omitted.map(({ code, count }) => `${code} ${count}`)],
    ['not-run', 'unreachable 1'],
  );
});

test('what the domain’s own failing name server has is not known', async () => {
  assert.equal(await namedBy(spfVoidLookups, {}, { failing: { [domain]: 'SERVFAIL' } }), ['not-run']);
});

test('the place is the domain’s own record', async () => {
  const zone: Zone = { [domain]: [[`v=spf1 ${gone} mx -all`]] };
  assert.equal(await namedBy(spfVoidLookups, zone), ['found', place]);
});

test.run();
