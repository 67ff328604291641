import type { EntityManager } from '@mikro-orm/postgresql';
import { inBatches } from './in-batches.ts';

/** In one transaction, so that no lock is held for long: a scan may have 64 MiB of evidence. */
const size = 20;

/**
 * Deletes finished scans that are older than their org's plan keeps them, with all that they found. Ledger, audit log
 * and decisions stay. Several cores may do it at once.
 * @returns how many were deleted
 */
export const deleteScansPastRetention = (em: EntityManager, signal: AbortSignal): Promise<number> =>
  inBatches({ size, signal }, async (most) => {
    const [row] = await em
      .fork()
      .execute<{ count: number }[]>('select delete_scans_past_retention(?) as count', [most]);
    return row?.count ?? 0;
  });
