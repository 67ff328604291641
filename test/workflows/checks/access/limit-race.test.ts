import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { limitRace } from '../../../../workflows/checks/access/limit-race.check.ts';
import { repeatedly, shownChanges } from '../../../../workflows/checks/access/shown-change.ts';
import { codesIn } from '../../../../workflows/checks/access/voucher-codes.ts';
import type { Check } from '../../../../workflows/checks/contract.ts';
import { startVoucherShop, type VoucherDesign } from '../../../scorecard/sites/voucher-shop.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit } from '../harness.ts';

const test = suite('access.limit-race');

async function result(design: VoucherDesign, writes: 'create' | 'reversible' = 'create') {
  const site = await startVoucherShop(design);
  const audit = await openAudit(site.url, { ...site.options, writes });
  try {
    const before = audit.requests();
    const found = await check(audit, limitRace as Check);
    return { ...found, requests: audit.requests() - before, lasting: audit.lasting };
  } finally {
    await audit.close();
    await site.close();
  }
}

for (const design of firstRows([{}, { hasVisitors: true }, { isApi: true }, { hasToken: true }] as const, 1)) {
  const how = JSON.stringify(design);
  test(`a voucher that simultaneous requests redeem several times is found, ${how}`, async () => {
    const { outcome, findings, requests, lasting } = await result({ once: 'looked', ...design });
    assert.equal([outcome.kind, findings.length], ['found', 1], outcome.reason);
    assert.ok(requests < 80, String(requests));
    assert.ok(lasting.length >= 5);
  });
  for (const once of firstRows(['in-one', 'never', 'counted'] as const, 1))
    further(test)(`a shop that redeems it "${once}" is clean, ${how}`, async () => {
      const { outcome, findings } = await result({ once, ...design });
      assert.equal([outcome.kind, findings.length], ['clean', 0], outcome.reason);
    });
}

test('nothing is redeemed where the scope does not let anything stay', async () => {
  const { outcome, lasting } = await result({ once: 'looked' }, 'reversible');
  assert.equal([outcome.kind, lasting.length], ['not-run', 0], outcome.reason);
});

test('codes of vouchers are words in capitals with a digit beside words about them', () => {
  const page = '<p>Use coupon <b>SPRING-25</b> today.</p><p>Order A4711 of 2024.</p><footer>ISO9001, HTTP/1.1</footer>';
  assert.equal(codesIn(page), ['SPRING-25']);
});

test('a number that changed is recognised by what stands before it, and its multiples are known', () => {
  const page = (credit: string) => `<p>Credit: <b>${credit}</b> at <time>10:2</time></p>`;
  const [change] = shownChanges('/', page('5.00'), page('15.00'));
  assert.equal([change?.before, change?.after], ['5.00', '15.00']);
  const pattern = new RegExp(change ? repeatedly(change, 3) : '');
  assert.equal(
    ['15.00', '25.00', '35.00', '45.00', '25.001'].map((credit) => pattern.test(page(credit))),
    [false, true, true, false, false],
  );
});

test.run();
