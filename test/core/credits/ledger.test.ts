import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LedgerEntryEntity, LedgerTransactionEntity } from '../../../core/credits/entities.ts';
import { balanceOf, grantCredit, releaseHold, reserveCredit, settleHold } from '../../../core/credits/ledger.ts';
import { expireLots } from '../../../core/credits/lots.ts';
import { isOutOfRange } from '../../../core/db/failures.ts';
import { createOrm } from '../../../core/db/orm.ts';
import { inOrg } from '../../../core/db/session.ts';
import { entities } from '../../../core/entities.ts';
import { OrgEntity } from '../../../core/orgs/entities.ts';
import { rejectionOf } from '../../support/rejection.ts';
import { migratedDatabase, type TestDatabase } from '../../support/servers.ts';
import { fails, silent as log } from '../support.ts';

let database: TestDatabase;
let em: EntityManager;
let close: () => Promise<void>;

const test = suite('ledger');
test.before(async () => {
  database = await migratedDatabase();
  const orm = createOrm({ entities, url: database.appUrl, poolSize: 20, log });
  em = orm.em;
  close = () => orm.close(true);
});
test.after(async () => {
  await close();
  await database.drop();
});

async function newOrg(credit = 0): Promise<string> {
  const orgId = randomUUID();
  await inOrg(em, orgId, async (tx) => {
    await tx.insert(OrgEntity, { id: orgId, name: 'x', plan: 'team', gateThreshold: 0 });
    if (credit > 0) await grantCredit(tx, orgId, { amount: credit, reason: 'start', idempotencyKey: 'start' });
  });
  return orgId;
}

const balance = (orgId: string) => inOrg(em, orgId, (tx) => balanceOf(tx, orgId));
const reserve = (orgId: string, amount: number) => reserveCredit(em, { orgId, amount, runId: randomUUID() });
const settle = (orgId: string, holdId: string) => inOrg(em, orgId, (tx) => settleHold(tx, orgId, holdId));
const release = (orgId: string, holdId: string) => inOrg(em, orgId, (tx) => releaseHold(tx, orgId, holdId));

async function hold(orgId: string, amount: number): Promise<string> {
  const { holdId } = await reserve(orgId, amount);
  if (holdId === undefined) throw new Error(`less than ${amount} available`);
  return holdId;
}

/** What the entries of an org say, account by account. */
async function sums(orgId: string): Promise<Record<string, number>> {
  const rows = await inOrg(em, orgId, (tx) =>
    tx.execute<{ account: string; sum: string }[]>('select account, sum(amount) from ledger_entries group by account'),
  );
  const none = { granted: 0, available: 0, reserved: 0, spent: 0, expired: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)])) };
}

test('credit moves from grant to hold to spent, and every step has two sides', async () => {
  const orgId = await newOrg(10);
  const holdId = await hold(orgId, 4);
  assert.equal(await balance(orgId), { available: 6, reserved: 4 });
  assert.ok(await settle(orgId, holdId));
  assert.equal(await balance(orgId), { available: 6, reserved: 0 });
  assert.equal(await sums(orgId), { granted: -10, available: 6, reserved: 0, spent: 4, expired: 0 });
});

test('a released hold is available again', async () => {
  const orgId = await newOrg(5);
  assert.ok(await release(orgId, await hold(orgId, 5)));
  assert.equal(await balance(orgId), { available: 5, reserved: 0 });
});

test('too little credit is reported and nothing moves', async () => {
  const orgId = await newOrg(3);
  assert.is((await reserve(orgId, 5)).holdId, undefined);
  assert.equal(await balance(orgId), { available: 3, reserved: 0 });
  const penniless = await newOrg();
  assert.is((await reserve(penniless, 1)).holdId, undefined);
});

test('a grant repeated under its key grants once, another key grants again', async () => {
  const orgId = await newOrg();
  const grant = (idempotencyKey: string) =>
    inOrg(em, orgId, (tx) => grantCredit(tx, orgId, { amount: 7, reason: 'x', idempotencyKey }));
  const first = await Promise.all(Array.from({ length: 10 }, () => grant('a')));
  assert.is(first.filter(Boolean).length, 1);
  assert.ok(await grant('b'));
  assert.equal(await balance(orgId), { available: 14, reserved: 0 });
});

test('a grant that could not be counted is refused, and what is held can always be given back', async () => {
  const most = 2 ** 31 - 1;
  const orgId = await newOrg(most);
  const holdId = await hold(orgId, 5);
  const more = inOrg(em, orgId, (tx) => grantCredit(tx, orgId, { amount: 5, reason: 'x', idempotencyKey: 'more' }));
  assert.ok(isOutOfRange(await rejectionOf(more)));
  assert.ok(await release(orgId, holdId));
  assert.equal(await balance(orgId), { available: most, reserved: 0 });
});

test('credit is not taken when what it pays for cannot be written', async () => {
  const orgId = await newOrg(5);
  const paidFor = () => [{ sql: 'select 1 / 0', params: [] }];
  await fails(reserveCredit(em, { orgId, amount: 5, runId: randomUUID(), paidFor }), 'division by zero');
  assert.equal(await balance(orgId), { available: 5, reserved: 0 });
  assert.equal(await sums(orgId), { granted: -5, available: 5, reserved: 0, spent: 0, expired: 0 });
});

test('a hold is resolved once, by whomever comes first', async () => {
  const orgId = await newOrg(10);
  const holdId = await hold(orgId, 10);
  const both = await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 ? settle : release)(orgId, holdId)));
  assert.is(both.filter(Boolean).length, 1);
  const { available, reserved } = await balance(orgId);
  assert.is(reserved, 0);
  assert.ok(available === 0 || available === 10);
});

test('another org cannot resolve a hold', async () => {
  const [orgId, thief] = [await newOrg(10), await newOrg(10)];
  const holdId = await hold(orgId, 10);
  assert.not.ok(await release(thief, holdId));
  assert.equal(await balance(thief), { available: 10, reserved: 0 });
  assert.equal(await balance(orgId), { available: 0, reserved: 10 });
});

test('200 reservations at once on 100 credits: exactly 100', async () => {
  const orgId = await newOrg(100);
  const reservations = await Promise.all(Array.from({ length: 200 }, () => reserve(orgId, 1)));
  assert.is(reservations.filter(({ holdId }) => holdId !== undefined).length, 100);
  assert.equal(await balance(orgId), { available: 0, reserved: 100 });
});

test('PostgreSQL itself refuses a transaction that does not sum to 0', async () => {
  const orgId = await newOrg(1);
  const unbalanced = inOrg(em, orgId, async (tx) => {
    const id = randomUUID();
    await tx.insert(LedgerTransactionEntity, { id, orgId, kind: 'grant', reason: 'x', idempotencyKey: 'unbalanced' });
    await tx.insert(LedgerEntryEntity, { transactionId: id, account: 'available', orgId, amount: 5 });
  });
  await fails(unbalanced, 'does not sum to 0');
});

type Step = { do: 'grant' | 'reserve' | 'settle' | 'release' | 'expire'; amount: number };
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom('grant', 'reserve', 'reserve', 'settle', 'release', 'expire'),
  amount: fc.integer({ min: 1, max: 20 }),
});

test('whatever 8 writers do, the books balance, nothing is negative and each hold ends once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { minLength: 8, maxLength: 8 }), async (writers) => {
      const orgId = await newOrg(20);
      const holds: string[] = [];
      const resolved: string[] = [];
      const act = async ({ do: what, amount }: Step): Promise<void> => {
        if (what === 'grant') {
          // Every other one ends at once, or while others draw from it.
          const expiresAt = amount % 2 ? null : new Date(Date.now() + amount);
          const options = { amount, reason: 'x', idempotencyKey: `k${amount}`, expiresAt };
          await inOrg(em, orgId, (tx) => grantCredit(tx, orgId, options));
        } else if (what === 'expire') {
          await inOrg(em, orgId, (tx) => expireLots(tx, orgId));
        } else if (what === 'reserve') {
          const { holdId } = await reserve(orgId, amount);
          if (holdId !== undefined) holds.push(holdId);
        } else {
          // Writers share the holds, so that several try to resolve the same one.
          const holdId = holds[amount % Math.max(1, holds.length)];
          if (holdId && (await (what === 'settle' ? settle : release)(orgId, holdId))) resolved.push(holdId);
        }
      };
      const run = async (steps: Step[]) => {
        for (const one of steps) await act(one);
      };
      await Promise.all(writers.map(run));
      await sleep(25);
      await inOrg(em, orgId, (tx) => expireLots(tx, orgId));
      const { available, reserved } = await balance(orgId);
      const entries = await sums(orgId);
      assert.is(
        Object.values(entries).reduce((a, b) => a + b),
        0,
      );
      assert.equal([entries.available, entries.reserved], [available, reserved]);
      assert.ok(available >= 0 && reserved >= 0 && (entries.spent ?? -1) >= 0 && (entries.expired ?? -1) >= 0);
      assert.is(new Set(resolved).size, resolved.length);
    }),
    { numRuns: 15 },
  );
});

test.run();
