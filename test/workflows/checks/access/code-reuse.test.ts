import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codeReuse } from '../../../../workflows/checks/access/code-reuse.check.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { startVoucherShop, type VoucherDesign } from '../../../scorecard/sites/voucher-shop.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.code-reuse');

async function result(design: VoucherDesign, writes: 'create' | 'reversible' = 'create') {
  const site = await startVoucherShop(design);
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const before = audit.requests();
    const found = await check(audit, codeReuse as Check);
    return { ...found, requests: audit.requests() - before, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const [design, isUsual] of [
  [{ once: 'never' }, false],
  [{ once: 'as-written' }, true],
  [{ once: 'as-written', hasVisitors: true }, false],
  [{ once: 'never', hasToken: true }, false],
  [{ once: 'as-written', isApi: true }, false],
] as const)
  (isUsual ? test : further(test))(
    `a voucher that one account redeems twice is found, ${JSON.stringify(design)}`,
    async () => {
      const { outcome, findings, requests } = await result(design);
      assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
      assert.ok(requests < 80, String(requests));
    },
  );

for (const [once, isUsual] of [
  ['in-one', false],
  ['counted', true],
  ['looked', false],
] as const)
  (isUsual ? test : further(test))(`a shop that redeems it "${once}" is clean`, async () => {
    const { outcome, findings } = await result({ once });
    assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
  });

test('nothing is redeemed where the scope does not let anything stay', async () => {
  const { outcome, lasting } = await result({ once: 'never' }, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
});

test.run();
