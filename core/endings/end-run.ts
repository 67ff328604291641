import type { EntityManager } from '@mikro-orm/postgresql';
import { coverLeftWrites } from '../coverage/left-writes.ts';
import { concludeCoverage } from '../coverage/record-coverage.ts';
import { releaseHold, settleHold } from '../credits/ledger.ts';
import { executeTogether } from '../db/session.ts';
import { withdrawMessage } from '../outbox/messages.ts';
import { RunSecretEntity, WriteEntity } from '../runs/entities.ts';
import { dispatchNext } from '../runs/queue.ts';
import type { ScanRow } from '../scans/entities.ts';
import { storable } from '../storable.ts';

/** How a run ends. */
export type Ending = {
  outcome: 'completed' | 'failed' | 'canceled';
  /** With a failed outcome. */
  failure?: { code: string; detail: string };
  /** Nothing is to be paid for it, whatever its outcome. */
  isFree?: boolean;
};

/**
 * Ends a run, with everything that follows: its credit is settled when it completed or was canceled after it ran, and the worker
 * lost no part of it, else released; its secrets go; the next scan of the host is dispatched.
 * @param scan locked, unfinished, and its host's queue locked before it
 */
export async function endRun(
  tx: EntityManager,
  scan: ScanRow,
  { outcome, failure, isFree = false }: Ending,
): Promise<void> {
  const hasRun = outcome === 'completed' || (outcome === 'canceled' && scan.status === 'running');
  const isEarned = hasRun && !isFree;
  const resolve = isEarned ? settleHold : releaseHold;
  await resolve(tx, scan.orgId, scan.holdId);
  if (!isEarned) scan.credits = 0;
  await coverLeftWrites(tx, scan);
  scan.entriesLeft = await tx.count(WriteEntity, { runId: scan.runId, state: 'left' });
  scan.coverageComplete = outcome === 'completed' && (await concludeCoverage(tx, scan));
  scan.status = outcome;
  scan.phase = 'done';
  if (outcome === 'completed') scan.progress = 1;
  if (outcome === 'failed') {
    scan.failureCode = failure?.code ?? 'internal';
    scan.failureDetail = storable(failure?.detail ?? '').slice(0, 1_000);
  }
  scan.finishedAt = new Date();
  scan.revision += 1;
  await tx.flush();
  await tx.nativeDelete(RunSecretEntity, { runId: scan.runId });
  await withdrawMessage(tx, 'start', scan.runId);
  await executeTogether(tx, [dispatchNext(scan.orgId, scan.host)]);
}
