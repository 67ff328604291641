import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { spfTooManyLookups } from '../../../../workflows/checks/mail/spf-too-many-lookups.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { namedBy, resultOf } from '../named-site.ts';

const test = suite('mail.spf-too-many-lookups');

const place = 'dns:northwind.shop?type=TXT';
const records = (texts: Record<string, string>): Zone =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`${name} TXT`, [['other'], text.match(/.{1,200}/g)]]),
  );
const includes = (count: number, zone: string) =>
  Array.from({ length: count }, (_, index) => `include:_${index}.${zone}`).join(' ');

/** Three services, each with further records: 3 + 3 × 3 lookups. */
const nested = records({
  'northwind.shop': 'v=spf1 include:a.example include:b.example ?include:c.example -all',
  'a.example': `v=spf1 ${includes(3, 'a.example')} ~all`,
  'b.example': 'v=spf1 a mx ptr -all',
  'c.example': 'v=spf1 exists:%{i}.c.example a:c.example/24 redirect=d.example',
  'd.example': 'v=spf1 ip4:192.0.2.1 -all',
});

test('eleven lookups in one record are found', async () => {
  const flat = records({ 'northwind.shop': `v=spf1 a mx:northwind.shop ${includes(9, 'mail.example')} -all` });
  const found = await resultOf(spfTooManyLookups, flat);
  assert.is(found.outcome.kind, 'found', found.outcome.reason);
  assert.match(found.findings[0]?.description ?? '', /at least 11 lookups/);
  assert.is(found.findings[0]?.proof?.steps?.length, 1);
});

test('lookups of included and redirected records are found, and the proof shows each record', async () => {
  const found = await resultOf(spfTooManyLookups, nested);
  assert.is(found.outcome.kind, 'found', found.outcome.reason);
  assert.is(found.findings[0]?.location?.url, place);
  assert.match(found.findings[0]?.description ?? '', /at least 12 lookups/);
  assert.equal(
    found.findings[0]?.proof?.steps?.map(({ note }) => note),
    [
      'The record of northwind.shop asks for 3; that makes 3 in all.',
      'The record of a.example asks for 3; that makes 6 in all.',
      'The record of b.example asks for 3; that makes 9 in all.',
      'The record of c.example asks for 3; that makes 12 in all.',
    ],
  );
});

test('a record that is included twice is counted twice, as receivers do', async () => {
  const twice = records({
    'northwind.shop': 'v=spf1 include:a.example include:b.example -all',
    'a.example': 'v=spf1 include:shared.example -all',
    'b.example': 'v=spf1 include:shared.example -all',
    'shared.example': 'v=spf1 a mx ptr exists:x.example -all',
  });
  const found = await resultOf(spfTooManyLookups, twice);
  assert.is(found.outcome.kind, 'found', found.outcome.reason);
  assert.match(found.findings[0]?.description ?? '', /at least 12 lookups/);
});

test('an included name whose servers fail takes nothing away', async () => {
  const failing = { 'd.example TXT': 'SERVFAIL', 'b.example TXT': 'SERVFAIL' } as const;
  const more = { ...nested, ...records({ '_0.a.example': 'v=spf1 a mx a:x.example a:y.example a:z.example -all' }) };
  assert.equal(await namedBy(spfTooManyLookups, more, { failing }), ['found', place]);
});

test('what the domain’s own failing name server has is not known', async () => {
  assert.equal(await namedBy(spfTooManyLookups, nested, { failing: { 'northwind.shop TXT': 'REFUSED' } }), ['not-run']);
});

for (const [what, zone] of [
  ['ten lookups', records({ 'northwind.shop': `v=spf1 ${includes(10, 'mail.example')} -all` })],
  ['twenty addresses', records({ 'northwind.shop': `v=spf1 ${'ip4:192.0.2.1 ip6:2001:db8::1 '.repeat(10)}-all` })],
  ['words after "all"', records({ 'northwind.shop': `v=spf1 a -all ${includes(11, 'mail.example')}` })],
  [
    'a redirect beside "all"',
    records({ 'northwind.shop': `v=spf1 ${includes(10, 'mail.example')} redirect=x.example -all` }),
  ],
  [
    'records that include each other',
    records({ 'northwind.shop': 'v=spf1 include:a.example -all', 'a.example': 'v=spf1 include:northwind.shop -all' }),
  ],
  [
    'modifiers that are explanations',
    records({ 'northwind.shop': `v=spf1 ${includes(10, 'mail.example')} -all exp=why.example` }),
  ],
  ['no record', {}],
] as const) {
  test(`${what} are clean`, async () => {
    assert.equal(await namedBy(spfTooManyLookups, zone), ['clean']);
  });
}

test.run();
