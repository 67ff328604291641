import { randomUUIDv7 } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Statement } from '../db/session.ts';

/**
 * Credit that was granted until a day is a lot. What ends first is spent first; a hold that is released gives back to
 * the lots that it was taken from; what is left of a lot at its end is expired. Credit without an end is in no lot.
 *
 * Whoever changes lots holds the lock of the org's account first, so that no two wait for each other.
 */

/** What a hold takes out of lots, those that end first before the others; nothing without the hold. The account is locked. */
export const drawFromLots = (orgId: string, holdId: string, amount: number): Statement => ({
  sql: `with queue as (
      select id, remaining, sum(remaining) over (order by expires_at, id) - remaining as before
      from credit_lots where org_id = ? and remaining > 0 and exists (select from credit_holds where id = ?)
    ), draw as (
      select id, least(remaining, ? - before)::integer as amount from queue where before < ?
    ), taken as (
      update credit_lots l set remaining = l.remaining - draw.amount from draw where l.id = draw.id
    )
    insert into credit_draws (hold_id, lot_id, org_id, amount) select ?::uuid, id, ?::uuid, amount from draw`,
  params: [orgId, holdId, amount, amount, holdId, orgId],
});

/** What a released hold had taken goes back. The account is locked. */
export async function returnToLots(tx: EntityManager, orgId: string, holdId: string): Promise<void> {
  await tx.execute(
    `update credit_lots l set remaining = l.remaining + d.amount
     from credit_draws d where d.hold_id = ? and d.lot_id = l.id and l.org_id = ?`,
    [holdId, orgId],
  );
}

/** Credit of lots that have ended and are not yet expired: it is on the account, but nobody may spend it. */
export async function endedCredit(tx: EntityManager, orgId: string): Promise<number> {
  const [row] = await tx.execute<{ ended: number }[]>(
    `select coalesce(sum(remaining), 0)::integer as ended from credit_lots
     where org_id = ? and remaining > 0 and expires_at <= now()`,
    [orgId],
  );
  return row?.ended ?? 0;
}

/**
 * Takes what is left of lots that have ended off the account: one movement a lot, made once.
 * @returns false when there was nothing to take off
 */
export async function expireLots(tx: EntityManager, orgId: string): Promise<boolean> {
  if ((await endedCredit(tx, orgId)) === 0) return false;
  await tx.execute('select from credit_accounts where org_id = ? for update', [orgId]);
  const ended = await tx.execute<{ id: string; amount: number }[]>(
    `update credit_lots set remaining = 0 where org_id = ? and remaining > 0 and expires_at <= now()
     returning id, old.remaining as amount`,
    [orgId],
  );
  for (const { amount } of ended) await moveToExpired(tx, orgId, amount);
  return true;
}

async function moveToExpired(tx: EntityManager, orgId: string, amount: number): Promise<void> {
  await tx.execute(
    `with account as (
       update credit_accounts set available = available - :amount where org_id = :orgId
     ), movement as (
       insert into ledger_transactions (id, org_id, kind, reason)
       values (:transactionId::uuid, :orgId::uuid, 'expire', 'granted until now') returning id
     )
     insert into ledger_entries (transaction_id, account, org_id, amount)
     select id, side.account, :orgId::uuid, side.amount
     from movement, (values ('available', -:amount), ('expired', :amount)) as side (account, amount)`,
    { orgId, amount, transactionId: randomUUIDv7() },
  );
}
