import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { spfPermissive } from '../../../../workflows/checks/mail/spf-permissive.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { namedBy, resultOf } from '../named-site.ts';

const test = suite('mail.spf-permissive');

const place = 'dns:northwind.shop?type=TXT';
const spf = (text: string, more: Zone = {}): Zone => ({ 'northwind.shop TXT': [['verification=1'], [text]], ...more });
const dmarc = (policy: string): Zone => ({ '_dmarc.northwind.shop TXT': [[`v=DMARC1; p=${policy}`]] });

for (const [what, text, severity] of [
  ['+all', 'v=spf1 mx +all', Severity.MEDIUM],
  ['a bare "all"', 'v=spf1 include:_spf.example.com all', Severity.MEDIUM],
  ['+ALL in capitals', 'v=SPF1 a +ALL', Severity.MEDIUM],
  ['+all before -all', 'v=spf1 +all -all', Severity.MEDIUM],
  ['?all', 'v=spf1 mx ?all', Severity.MEDIUM],
  ['no "all"', 'v=spf1 ip4:192.0.2.0/24 mx', Severity.MEDIUM],
  ['its version alone', 'v=spf1', Severity.MEDIUM],
] as const) {
  test(`a record with ${what} refuses nobody`, async () => {
    const found = await resultOf(spfPermissive, spf(text));
    assert.is(found.outcome.kind, 'found', found.outcome.reason);
    assert.is(found.findings[0]?.location?.url, place);
    assert.is(found.findings[0]?.severity, severity);
  });
}

test('that everybody passes is graver than that nothing is known of them', async () => {
  const scores = await Promise.all(
    ['v=spf1 +all', 'v=spf1 ?all'].map(
      async (text) => (await resultOf(spfPermissive, spf(text))).findings[0]?.cvss?.score,
    ),
  );
  assert.equal(scores, [6.5, 4.3]);
});

test('a record is followed to the one that decides', async () => {
  const records = spf('v=spf1 redirect=_spf.northwind.shop', { '_spf.northwind.shop TXT': [['v=spf1 mx +all']] });
  const { findings } = await resultOf(spfPermissive, records);
  assert.is(findings[0]?.location?.url, place);
  assert.equal(
    findings[0]?.proof?.steps?.map(({ action }) => action?.case === 'dns' && action.value?.name),
    ['northwind.shop', '_spf.northwind.shop'],
  );
});

for (const [what, records] of [
  ['-all', spf('v=spf1 mx -all')],
  ['~all', spf('v=spf1 include:_spf.example.com ~all')],
  ['-all before +all', spf('v=spf1 -all +all')],
  ['a host named "all"', spf('v=spf1 a:all.northwind.shop include:all -all')],
  [
    'a redirect to one that refuses',
    spf('v=spf1 redirect=_s.northwind.shop', { '_s.northwind.shop TXT': [['v=spf1 -all']] }),
  ],
  ['a redirect to itself', spf('v=spf1 redirect=northwind.shop')],
  ['a redirect that depends on the sender', spf('v=spf1 redirect=%{d}._spf.example.com')],
  ['no record', {}],
  ['two records, which receivers refuse', { 'northwind.shop TXT': [['v=spf1 +all'], ['v=spf1 -all']] }],
  ['?all below a DMARC policy that refuses', spf('v=spf1 mx ?all', dmarc('reject'))],
  ['no "all" below a DMARC policy that puts aside', spf('v=spf1 mx', dmarc('quarantine'))],
] as const) {
  test(`${what} is clean`, async () => {
    assert.equal(await namedBy(spfPermissive, records), ['clean']);
  });
}

test('what a failing name server has is not known', async () => {
  assert.equal(await namedBy(spfPermissive, {}, { failing: { 'northwind.shop TXT': 'SERVFAIL' } }), ['not-run']);
});

test('a DMARC policy does not help where everybody passes', async () => {
  assert.equal(await namedBy(spfPermissive, spf('v=spf1 +all', dmarc('reject'))), ['found', place]);
});

test.run();
