import type { EntityManager } from '@mikro-orm/postgresql';
import type { Statement } from '../db/session.ts';

/**
 * Holds the queue of an org's host until the transaction ends. Whoever moves it takes this lock first, before those of
 * scans and credit, so that no two wait for each other and no waiting scan is overlooked.
 */
export async function lockQueue(tx: EntityManager, orgId: string, host: string): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock(hashtextextended(?, 2))', [`${orgId}/${host}`]);
}

/**
 * Hands the oldest waiting scan of an org's host to the outbox, unless one is under way: one at a time.
 * Needs the queue's lock.
 */
export const dispatchNext = (orgId: string, host: string): Statement => ({
  sql: `with dispatched as (
      update scans set dispatched_at = now()
      where run_id = (select run_id from scans where ${unfinished} and dispatched_at is null order by run_id limit 1)
        and not exists (select from scans where ${unfinished} and dispatched_at is not null)
      returning org_id, run_id
    )
    insert into outbox (org_id, run_id, kind) select org_id, run_id, 'start' from dispatched`,
  params: [orgId, host, orgId, host],
});

const unfinished = 'org_id = ? and host = ? and finished_at is null';

/** Leaves a message to Temporal that commits with its cause. Leaving it twice is leaving it once. */
export async function leaveMessage(
  tx: EntityManager,
  { orgId, runId }: { orgId: string; runId: string },
  kind: 'start' | 'cancel',
): Promise<void> {
  await tx.execute('insert into outbox (org_id, run_id, kind) values (?, ?, ?) on conflict (run_id, kind) do nothing', [
    orgId,
    runId,
    kind,
  ]);
}

/**
 * Takes back the start of a run that has ended. One that is being delivered just now is left: the worker is refused
 * when it begins a run that has ended.
 */
export async function withdrawStart(tx: EntityManager, runId: string): Promise<void> {
  await tx.execute(
    `delete from outbox where id in
      (select id from outbox where run_id = ? and kind = 'start' for update skip locked)`,
    [runId],
  );
}
