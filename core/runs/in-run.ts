import type { EntityManager } from '@mikro-orm/postgresql';
import { continueAsOrg, inSystem } from '../db/session.ts';
import { Refusal } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';
import { findScan } from './find-scan.ts';
import { isRunId } from './run-id.ts';

type RunWork<T> = (tx: EntityManager, scan: ScanRow) => Promise<T>;

/**
 * Runs a unit of work for a run, as the run's org, in one transaction that holds the scan: what a run stores is stored
 * one call after the other, and nothing after its end. Changes of the scan are saved.
 * @throws Refusal NOT_FOUND, RUN_NOT_RUNNING
 */
export const inRunningRun = <T>(em: EntityManager, runId: string, work: RunWork<T>): Promise<T> =>
  inRun(em, runId, async (tx, orgId) => {
    const scan = await findScan(tx, orgId, runId, true);
    requireRunning(scan);
    return work(tx, scan);
  });

/**
 * Reads for a run, as its org, without holding the scan.
 * @throws Refusal NOT_FOUND, RUN_NOT_RUNNING
 */
export const readRunningRun = <T>(em: EntityManager, runId: string, work: RunWork<T>): Promise<T> =>
  inRun(em, runId, async (tx, orgId) => {
    const scan = await findScan(tx, orgId, runId);
    requireRunning(scan);
    return work(tx, scan);
  });

/**
 * Finds out whose run it is and goes on as that org.
 * @throws Refusal NOT_FOUND
 */
export const inRun = <T>(
  em: EntityManager,
  runId: string,
  work: (tx: EntityManager, orgId: string, host: string) => Promise<T>,
): Promise<T> =>
  inSystem(em, 'worker', async (tx) => {
    const [run] = isRunId(runId)
      ? await tx.execute<{ org_id: string; host: string }[]>('select org_id, host from scans where run_id = ?', [runId])
      : [];
    if (!run) throw new Refusal('NOT_FOUND', { message: 'There is no such run.' });
    await continueAsOrg(tx, run.org_id);
    return work(tx, run.org_id, run.host);
  });

/** The refusal of a call for a run that is not running. A worker must not retry it. */
export const notRunning = (scan: ScanRow): Refusal =>
  new Refusal('RUN_NOT_RUNNING', { metadata: { scanStatus: scan.status } });

function requireRunning(scan: ScanRow): void {
  if (scan.status !== 'running') throw notRunning(scan);
}
