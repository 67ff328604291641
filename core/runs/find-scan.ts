import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../errors.ts';
import { ScanEntity, type ScanRow } from '../scans/entities.ts';
import { isRunId } from './run-id.ts';

/**
 * A scan of the org whose transaction this is. An unknown id and another org's are refused alike.
 * @param lock holds the scan against every other change until the transaction ends
 * @throws Refusal NOT_FOUND
 */
export async function findScan(tx: EntityManager, orgId: string, runId: string, lock = false): Promise<ScanRow> {
  const row = isRunId(runId)
    ? await tx.findOne(ScanEntity, { runId, orgId }, lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {})
    : null;
  if (!row) throw new Refusal('NOT_FOUND', { message: 'There is no such scan.' });
  return row;
}
