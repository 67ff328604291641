import type { EntityManager } from '@mikro-orm/postgresql';
import { ScanEntity, type ScanRow } from '../scans/entities.ts';

/** The run that a scan is compared with unless another is named: the completed one of its host and depth before it. */
export async function defaultBaseline(tx: EntityManager, scan: ScanRow): Promise<string | undefined> {
  const { orgId, host, depth, runId, createdAt } = scan;
  const before = await tx.findOne(
    ScanEntity,
    { orgId, host, depth, status: 'completed', createdAt: { $lte: createdAt }, runId: { $lt: runId } },
    { orderBy: { createdAt: 'desc', runId: 'desc' }, fields: ['runId'] },
  );
  return before?.runId;
}

/** Fingerprints that a run reported; none without a run. */
export async function fingerprintsOf(tx: EntityManager, runId: string | undefined): Promise<ReadonlySet<string>> {
  if (runId === undefined) return new Set();
  const rows = await tx.execute<{ fingerprint: string }[]>('select fingerprint from findings where run_id = ?', [
    runId,
  ]);
  return new Set(rows.map(({ fingerprint }) => fingerprint));
}
