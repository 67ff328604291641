import type { EntityManager } from '@mikro-orm/postgresql';
import { lockExpression, lockName } from '../db/locks.ts';
import type { Statement } from '../db/session.ts';

/**
 * Holds the queue of an org's host until the transaction ends. Whoever moves it takes this lock first, before those of
 * scans and credit, so that no two wait for each other and no waiting scan is overlooked.
 */
export async function lockQueue(tx: EntityManager, orgId: string, host: string): Promise<void> {
  await lockName(tx, 'queue', nameOf(orgId, host));
}

/** The same as a part of another statement. */
export const queueLock = (orgId: string, host: string): Statement => lockExpression('queue', nameOf(orgId, host));

const nameOf = (orgId: string, host: string): string => `${orgId}/${host}`;

/**
 * Hands the oldest waiting scan of an org's host to the outbox, unless one is under way: one at a time.
 * Needs the queue's lock.
 */
export const dispatchNext = (orgId: string, host: string): Statement => ({
  sql: `with dispatched as (
      update scans set dispatched_at = now()
      where run_id = (select run_id from scans where ${unfinished} and dispatched_at is null order by run_id limit 1)
        and not exists (select from scans where ${unfinished} and dispatched_at is not null)
      returning org_id, run_id, depth
    )
    insert into outbox (org_id, kind, key, payload)
      select org_id, 'start', run_id::text, jsonb_build_object('runId', run_id, 'depth', depth) from dispatched`,
  params: [orgId, host, orgId, host],
});

const unfinished = 'org_id = ? and host = ? and finished_at is null';
