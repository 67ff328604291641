import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { negativeAmount } from '../../../../workflows/checks/access/negative-amount.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { type PointsDesign, startPointsClub } from '../../../scorecard/sites/points-club.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.negative-amount');

async function result(design: PointsDesign, writes: 'create' | 'reversible' = 'create') {
  const site = await startPointsClub(design);
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const found = await check(audit, negativeAmount as Check);
    return { ...found, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const design of firstRows([{}, { isApi: true }, { does: 'pays-out', hasToken: true }] as const, 1)) {
  const how = JSON.stringify(design);
  test(`points that are taken by an amount below zero are found, ${how}`, async () => {
    const { outcome, findings, lasting } = await result({ asks: 'at-most', ...design });
    assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
    assert.ok(lasting.length >= 5);
  });
  test(`amounts that have to be above zero are clean, ${how}`, async () => {
    const { outcome, findings } = await result({ asks: 'above-zero', ...design });
    assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  });
}

further(test)('points that are added for nothing are no wrong amount', async () => {
  const { findings } = await result({ asks: 'at-most', does: 'adds' });
  assert.is(findings.length, 0);
});

test('nothing is sent where the scope does not let anything stay', async () => {
  const { outcome, lasting } = await result({ asks: 'at-most' }, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
});

test.run();
