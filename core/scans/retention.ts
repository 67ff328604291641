import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';

/** In one transaction, so that no lock is held for long: a scan may have 64 MiB of evidence. */
const batchSize = 20;
const pauseMs = 50;

/**
 * Deletes finished scans that are older than their org's plan keeps them, with all that they found. Ledger, audit log
 * and decisions stay. Several cores may do it at once.
 * @returns how many were deleted
 */
export async function deleteScansPastRetention(em: EntityManager, signal: AbortSignal): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const [row] = await em
      .fork()
      .execute<{ count: number }[]>('select delete_scans_past_retention(?) as count', [batchSize]);
    const count = row?.count ?? 0;
    deleted += count;
    if (count < batchSize) break;
    await sleep(pauseMs);
  }
  return deleted;
}
