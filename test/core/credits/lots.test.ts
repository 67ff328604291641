import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { balanceOf, grantCredit, releaseHold, reserveCredit, settleHold } from '../../../core/credits/ledger.ts';
import { expireLots } from '../../../core/credits/lots.ts';
import { inOrg } from '../../../core/db/session.ts';
import { newOrg, openDatabase } from '../scans/support.ts';

const { em, close } = await openDatabase();
const test = suite('credit that is granted until a day');
test.after(close);

const soonMs = 1_500;
const later = () => new Date(Date.now() + 3_600_000);

async function orgWith(...grants: { amount: number; expiresAt?: Date }[]) {
  const { orgId, balance } = await newOrg(em, { credits: 0 });
  for (const [index, grant] of grants.entries())
    await inOrg(em, orgId, (tx) => grantCredit(tx, orgId, { ...grant, reason: 'x', idempotencyKey: `g${index}` }));
  return {
    orgId,
    balance,
    reserve: async (amount: number) => {
      const { holdId } = await reserveCredit(em, { orgId, amount, runId: randomUUID() });
      return holdId ?? (await inOrg(em, orgId, (tx) => balanceOf(tx, orgId))).available;
    },
    resolve: (how: typeof settleHold, holdId: string | number) =>
      inOrg(em, orgId, (tx) => how(tx, orgId, String(holdId))),
    expire: () => inOrg(em, orgId, (tx) => expireLots(tx, orgId)),
    movements: () =>
      inOrg(em, orgId, (tx) =>
        tx.execute<{ kind: string; amount: number }[]>(
          `select kind, amount from ledger_transactions join ledger_entries on transaction_id = id
           where account = 'available' order by id`,
        ),
      ),
    lots: () =>
      inOrg(em, orgId, (tx) =>
        tx.execute<{ remaining: number }[]>('select remaining from credit_lots order by expires_at'),
      ).then((rows) => rows.map(({ remaining }) => remaining)),
  };
}

test('cannot be spent after it, and leaves the account with a movement of its own, once', async () => {
  const org = await orgWith({ amount: 5, expiresAt: new Date(Date.now() + soonMs) }, { amount: 2 });
  assert.equal(await org.balance(), { available: 7, reserved: 0 });
  await sleep(soonMs);
  assert.equal(await org.balance(), { available: 2, reserved: 0 }, 'before it is taken off too');
  assert.is(await org.reserve(3), 2);
  await Promise.all([org.expire(), org.expire(), org.expire()]);
  assert.equal(await org.movements(), [
    { kind: 'grant', amount: 5 },
    { kind: 'grant', amount: 2 },
    { kind: 'expire', amount: -5 },
  ]);
});

test('is spent before credit that ends later or never', async () => {
  const org = await orgWith(
    { amount: 4 },
    { amount: 3, expiresAt: new Date(Date.now() + 7_200_000) },
    { amount: 2, expiresAt: later() },
  );
  await org.reserve(4);
  assert.equal(await org.lots(), [0, 1]);
  await org.reserve(5);
  assert.equal([await org.lots(), await org.balance()], [[0, 0], { available: 0, reserved: 9 }]);
});

test('comes back to where it was taken from when the hold is released, and not when it is settled', async () => {
  const org = await orgWith({ amount: 2, expiresAt: later() }, { amount: 2 });
  const held = await org.reserve(3);
  assert.equal(await org.lots(), [0]);
  await org.resolve(releaseHold, held);
  await org.resolve(releaseHold, held);
  assert.equal([await org.lots(), await org.balance()], [[2], { available: 4, reserved: 0 }]);
  await org.resolve(settleHold, await org.reserve(3));
  assert.equal([await org.lots(), await org.balance()], [[0], { available: 1, reserved: 0 }]);
});

test('that a hold gives back after its day is expired', async () => {
  const org = await orgWith({ amount: 2, expiresAt: new Date(Date.now() + soonMs) });
  const held = await org.reserve(2);
  await sleep(soonMs);
  await org.expire();
  assert.equal(await org.balance(), { available: 0, reserved: 2 }, 'what is held is not expired');
  await org.resolve(releaseHold, held);
  assert.equal(await org.balance(), { available: 0, reserved: 0 });
  await org.expire();
  assert.equal((await org.movements()).at(-1), { kind: 'expire', amount: -2 });
});

test('is drawn by many at once without taking anything twice', async () => {
  const org = await orgWith({ amount: 10, expiresAt: later() }, { amount: 10, expiresAt: later() }, { amount: 5 });
  const held = await Promise.all(Array.from({ length: 30 }, () => org.reserve(1)));
  assert.is(held.filter((each) => typeof each === 'string').length, 25);
  assert.equal([await org.lots(), await balanceOfOrg(org.orgId)], [[0, 0], { available: 0, reserved: 25 }]);
});

const balanceOfOrg = (orgId: string) => inOrg(em, orgId, (tx) => balanceOf(tx, orgId));

test.run();
