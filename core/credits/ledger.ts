import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { executeInOrg, inOrg, type Statement } from '../db/session.ts';
import { CreditAccountEntity } from './entities.ts';
import { drawFromLots, endedCredit, expireLots, returnToLots } from './lots.ts';

/**
 * The rules of scan credit. Each takes the transaction that it belongs to, opened with `inOrg`, so that credit moves
 * if and only if what it pays for happens; `reserveCredit` makes its own. Each is one statement: the balance, the hold
 * and both ledger entries.
 *
 *     grant    granted   → available      new credit
 *     reserve  available → reserved       taken for a hold
 *     settle   reserved  → spent          the hold's work was done
 *     release  reserved  → available      it was not
 *     expire   available → expired        granted until a day that has come (lots.ts)
 */

export type Balance = { available: number; reserved: number };

/** What a hold goes with: all of it, or nothing, happens in the hold's own transaction. */
type Purchase = {
  orgId: string;
  amount: number;
  /** The scan that it is for. */
  runId: string;
  /** Executed before credit is touched: locks, and what is to be known once they are held. */
  first?: readonly Statement[];
  /** An expression; the hold is only taken where it is true. */
  provided?: Statement;
  /** Executed when nothing was held too, so each writes only for a hold that is there. */
  paidFor?: (holdId: string) => readonly Statement[];
};

type Reservation = {
  /** Undefined when there is too little, or `provided` is false. */
  holdId: string | undefined;
  /** The rows of each of the first statements. */
  first: Record<string, unknown>[][];
};

/** The org's credit that may be spent and that is held; nothing for an org that has no account yet. */
export async function balanceOf(tx: EntityManager, orgId: string): Promise<Balance> {
  const account = await tx.findOne(CreditAccountEntity, { orgId }, { refresh: true });
  const ended = await endedCredit(tx, orgId);
  return { available: (account?.available ?? 0) - ended, reserved: account?.reserved ?? 0 };
}

/**
 * Takes credit for work that is about to start, in one round trip, so that those who queue at the account's row wait
 * for PostgreSQL alone. None sees a balance that another has taken from.
 */
export async function reserveCredit(em: EntityManager, purchase: Purchase): Promise<Reservation> {
  const reservation = await hold(em, purchase);
  if (reservation.holdId !== undefined) return reservation;
  const isMore = await inOrg(em, purchase.orgId, (tx) => expireLots(tx, purchase.orgId));
  return isMore ? hold(em, purchase) : reservation;
}

async function hold(em: EntityManager, purchase: Purchase): Promise<Reservation> {
  const { orgId, amount, first = [], paidFor } = purchase;
  const holdId = randomUUID();
  const rows = await executeInOrg(em, orgId, [
    ...first,
    holdStatement(purchase, holdId),
    drawFromLots(orgId, holdId, amount),
    ...(paidFor?.(holdId) ?? []),
  ]);
  const isHeld = rows[first.length]?.length === 1;
  return { holdId: isHeld ? holdId : undefined, first: rows.slice(0, first.length) };
}

/** Answers a row when it took the hold. Lots that have ended are taken off the account before anything is held. */
function holdStatement({ orgId, amount, runId, provided }: Purchase, holdId: string): Statement {
  const { sql, params } = provided ?? { sql: 'true', params: [] };
  return {
    sql: `with account as (
       update credit_accounts set available = available - ?, reserved = reserved + ?
       where org_id = ? and available >= ? and (${sql})
         and not exists (select from credit_lots where org_id = ? and remaining > 0 and expires_at <= now())
       returning org_id
     ), hold as (
       insert into credit_holds (id, org_id, amount) select ?::uuid, org_id, ? from account returning id
     ), movement as (
       insert into ledger_transactions (id, org_id, kind, hold_id, run_id, reason)
       select ?::uuid, ?::uuid, 'reserve', id, ?::uuid, 'scan' from hold returning id
     ), entries as (
       insert into ledger_entries (transaction_id, account, org_id, amount)
       select id, side.account, ?::uuid, side.amount
       from movement, (values ('available', -?::integer), ('reserved', ?)) as side (account, amount)
     ) select id from hold`,
    params: [
      ...[amount, amount, orgId, amount, ...params, orgId],
      ...[holdId, amount],
      ...[randomUUIDv7(), orgId, runId],
      ...[orgId, amount, amount],
    ],
  };
}

/**
 * Spends a hold.
 * @returns false when it had been resolved before, and nothing moved
 */
export const settleHold = (tx: EntityManager, orgId: string, holdId: string): Promise<boolean> =>
  resolve(tx, orgId, holdId, { kind: 'settle', state: 'settled', to: 'spent' });

/**
 * Gives a hold back.
 * @returns false when it had been resolved before, and nothing moved
 */
export async function releaseHold(tx: EntityManager, orgId: string, holdId: string): Promise<boolean> {
  const isReleased = await resolve(tx, orgId, holdId, { kind: 'release', state: 'released', to: 'available' });
  if (isReleased) await returnToLots(tx, orgId, holdId);
  return isReleased;
}

/** The movement names the same scan as the one that took the hold. */
async function resolve(
  tx: EntityManager,
  orgId: string,
  holdId: string,
  { kind, state, to }: { kind: string; state: string; to: 'spent' | 'available' },
): Promise<boolean> {
  const [resolved] = await tx.execute<unknown[]>(
    `with hold as (
       update credit_holds set state = :state, resolved_at = now()
       where id = :holdId and org_id = :orgId and state = 'held' returning id, amount
     ), account as (
       update credit_accounts set reserved = reserved - hold.amount,
         available = available + case when :to = 'available' then hold.amount else 0 end
       from hold where org_id = :orgId
     ), movement as (
       insert into ledger_transactions (id, org_id, kind, hold_id, run_id, reason)
       select :transactionId::uuid, :orgId::uuid, :kind, hold.id, taken.run_id, taken.reason
       from hold join ledger_transactions taken on taken.hold_id = hold.id and taken.kind = 'reserve' returning id
     ), entries as (
       insert into ledger_entries (transaction_id, account, org_id, amount)
       select movement.id, side.account, :orgId::uuid, side.sign * hold.amount
       from movement, hold, (values ('reserved', -1), (:to, 1)) as side (account, sign)
     ) select id from hold`,
    { orgId, holdId, kind, state, to, transactionId: randomUUIDv7() },
  );
  return resolved !== undefined;
}

/**
 * Adds credit; once for each org and idempotency key.
 * @param options.expiresAt what is left then is expired; without it the credit stays
 * @returns false when this key has granted before, and nothing moved
 */
export async function grantCredit(
  tx: EntityManager,
  orgId: string,
  { expiresAt = null, ...options }: { amount: number; reason: string; idempotencyKey: string; expiresAt?: Date | null },
): Promise<boolean> {
  const [granted] = await tx.execute<unknown[]>(
    `with movement as (
       insert into ledger_transactions (id, org_id, kind, reason, idempotency_key)
       values (:transactionId, :orgId, 'grant', :reason, :idempotencyKey)
       on conflict (org_id, idempotency_key) do nothing returning id
     ), account as (
       insert into credit_accounts as a (org_id, available) select :orgId::uuid, :amount from movement
       on conflict (org_id) do update set available = a.available + excluded.available
     ), entries as (
       insert into ledger_entries (transaction_id, account, org_id, amount)
       select id, side.account, :orgId::uuid, side.amount
       from movement, (values ('granted', -:amount), ('available', :amount)) as side (account, amount)
     ), lot as (
       insert into credit_lots (id, org_id, amount, remaining, expires_at)
       select id, :orgId::uuid, :amount, :amount, :expiresAt::timestamptz from movement
       where :expiresAt::timestamptz is not null
     ) select id from movement`,
    { ...options, expiresAt, orgId, transactionId: randomUUIDv7() },
  );
  return granted !== undefined;
}

/** Whether the grant that was made under a key is this one: of as much, and until the same moment. */
export async function isSameGrant(
  tx: EntityManager,
  orgId: string,
  { amount, idempotencyKey, expiresAt }: { amount: number; idempotencyKey: string; expiresAt: Date | null },
): Promise<boolean> {
  const same = await tx.execute<unknown[]>(
    `select t.id from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.account = 'available'
     left join credit_lots l on l.id = t.id
     where t.org_id = :orgId and t.idempotency_key = :idempotencyKey and e.amount = :amount
       and l.expires_at is not distinct from :expiresAt::timestamptz`,
    { orgId, idempotencyKey, amount, expiresAt },
  );
  return same.length > 0;
}
