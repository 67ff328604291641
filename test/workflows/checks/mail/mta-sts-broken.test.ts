import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { mtaStsBroken } from '../../../../workflows/checks/mail/mta-sts-broken.check.ts';
import type { Zone } from '../../../fixtures/name-server.ts';
import { namedBy, resultOf } from '../named-site.ts';

const test = suite('mail.mta-sts-broken');

const found = ['found', 'dns:_mta-sts.northwind.shop?type=TXT'];
const announced = (...texts: string[]): Zone => ({ '_mta-sts.northwind.shop TXT': texts.map((text) => [text]) });
const host = { 'mta-sts.northwind.shop A': ['192.0.2.1'] };
const good = 'v=STSv1; id=20260101T000000;';

for (const [what, records] of [
  ['a host of the policy that does not exist', announced(good)],
  ['a host of the policy without addresses', { ...announced(good), 'mta-sts.northwind.shop TXT': [['parked']] }],
  [
    'a host of the policy that is an alias of nothing',
    {
      ...announced(good),
      'mta-sts.northwind.shop A': [{ alias: 'gone.example' }],
      'mta-sts.northwind.shop AAAA': [{ alias: 'gone.example' }],
    },
  ],
  ['two records', { ...announced(good, 'v=STSv1; id=2;'), ...host }],
  ['a record without an id', { ...announced('v=STSv1;'), ...host }],
  ['an id that is no word', { ...announced('v=STSv1; id=2026-01-01;'), ...host }],
  ['an id that is too long', { ...announced(`v=STSv1; id=${'1'.repeat(33)}`), ...host }],
  ['a record with an empty id', { ...announced('v=STSv1; id=; x=1'), ...host }],
] as const) {
  test(`an announcement with ${what} is found`, async () => {
    const { outcome, findings } = await resultOf(mtaStsBroken, records);
    assert.equal([outcome.kind, findings[0]?.location?.url], found, outcome.reason);
    assert.is(findings[0]?.severity, Severity.LOW);
  });
}

for (const [what, records] of [
  ['a record and a host', { ...announced(good), ...host }],
  ['a record beside other text', { ...announced('verification=1', 'v=STSv1;id=1'), ...host }],
  ['a host with IPv6 alone', { ...announced('v=STSv1 ; x=1 ; id=a'), 'mta-sts.northwind.shop AAAA': ['2001:db8::1'] }],
] as const) {
  test(`an announcement with ${what} is clean`, async () => {
    assert.equal(await namedBy(mtaStsBroken, records), ['clean']);
  });
}

test('a domain that announces nothing has nothing that is broken', async () => {
  assert.equal(await namedBy(mtaStsBroken, host), ['not-applicable']);
  assert.equal(await namedBy(mtaStsBroken, announced('v=spf1 -all')), ['not-applicable']);
});

test('a record that stands under every name is refuted', async () => {
  const { outcome } = await resultOf(mtaStsBroken, { '*.northwind.shop TXT': [['v=STSv1;']] });
  assert.equal([outcome.kind, outcome.refuted], ['clean', 1]);
});

test('what a failing name server has is not known', async () => {
  for (const question of ['_mta-sts.northwind.shop TXT', 'mta-sts.northwind.shop AAAA'])
    assert.equal(await namedBy(mtaStsBroken, announced(good), { failing: { [question]: 'SERVFAIL' } }), ['not-run']);
});

test.run();
