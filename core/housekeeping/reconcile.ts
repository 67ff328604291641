import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '../../kit/logger.ts';
import { inOrg, inSystem } from '../db/session.ts';
import { isTemporalDown, type Orchestrator } from '../dispatch/temporal.ts';
import { type Ending, endRun } from '../endings/end-run.ts';
import { leaveMessage } from '../outbox/messages.ts';
import { findScan } from '../runs/find-scan.ts';
import { lockQueue } from '../runs/queue.ts';
import type { ScanRow } from '../scans/entities.ts';

/** Scans that were dispatched more recently are left alone: their start may be on its way. */
const graceSeconds = 30;

/** Read at a time, so that memory does not grow with the number of scans under way. */
const pageLimit = 200;

/** Between two questions to Temporal, so that asking about thousands does not hold starts up. */
const paceMs = 5;

/** What comparing scans with their workflows needs. */
export type ReconcileDeps = { em: EntityManager; temporal: Orchestrator; log: Logger };

type Suspect = { run_id: string; org_id: string };

/**
 * Ends scans whose workflow will never end them: it was terminated, timed out, or lost with Temporal's data.
 * A start that Temporal does not know of is given to it again; one that is parked ends its scan. Asks nothing of scans whose messages
 * are still to be delivered.
 * @throws when Temporal cannot be asked: then nothing is concluded
 */
export async function reconcile(deps: ReconcileDeps, signal: AbortSignal): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const suspects = await readSuspects(deps, after);
    for (const suspect of suspects) {
      if (signal.aborted) return;
      await examine(deps, suspect).catch((err: unknown) => {
        if (isTemporalDown(err)) throw err;
        // The others are compared all the same: each round begins with the oldest.
        deps.log.error({ err, runId: suspect.run_id }, 'a scan could not be compared with its workflow');
      });
      await sleep(paceMs);
    }
    const last = suspects.at(-1);
    if (!last || suspects.length < pageLimit) return;
    after = last.run_id;
  }
}

function readSuspects({ em }: ReconcileDeps, after: string): Promise<Suspect[]> {
  return inSystem(em, 'dispatcher', (tx) =>
    tx.execute<Suspect[]>(
      `select run_id, org_id from scans s
       where finished_at is null and dispatched_at < now() - make_interval(secs => ?) and run_id > ?
         and not exists (select from outbox o where o.key = s.run_id::text and o.available_at < 'infinity')
       order by run_id limit ?`,
      [graceSeconds, after, pageLimit],
    ),
  );
}

async function examine({ em, temporal, log }: ReconcileDeps, { run_id: runId, org_id: orgId }: Suspect): Promise<void> {
  const workflow = await temporal.status(runId);
  if (isOpen(workflow)) return;
  await inOrg(em, orgId, async (tx) => {
    const { host } = await findScan(tx, orgId, runId);
    await lockQueue(tx, orgId, host);
    // Read again under the lock: the workflow may have ended the run just before it closed.
    const scan = await findScan(tx, orgId, runId, true);
    if (scan.finishedAt) return;
    log.warn({ runId, workflow: workflow ?? 'unknown', status: scan.status }, 'a workflow is gone before its scan');
    const isParked = (await tx.execute<unknown[]>('select from outbox where key = ? limit 1', [runId])).length > 0;
    if (workflow === undefined && scan.status === 'queued' && !isParked) {
      const { depth } = scan;
      await leaveMessage(tx, 'start', { orgId, key: runId, payload: { runId, depth } });
    } else {
      await endRun(tx, scan, endingOf(scan, workflow));
      log.info({ runId, status: scan.status }, 'a run ended');
    }
  });
}

type WorkflowStatus = Awaited<ReturnType<Orchestrator['status']>>;

const closed: readonly WorkflowStatus[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'TERMINATED', 'TIMED_OUT', undefined];
const isOpen = (status: WorkflowStatus) => !closed.includes(status);

function endingOf(scan: ScanRow, workflow: WorkflowStatus): Ending {
  if (scan.cancelRequestedAt) return { outcome: 'canceled' };
  if (workflow === 'TIMED_OUT')
    return { outcome: 'failed', failure: { code: 'timed_out', detail: 'The scan did not end in time.' } };
  return { outcome: 'failed', failure: { code: 'interrupted', detail: 'The scan was ended from outside.' } };
}
