import type { EntityManager } from '@mikro-orm/postgresql';
import { inSystem } from '../db/session.ts';
import { inBatches } from './in-batches.ts';

/** Rows are small, and each batch holds its locks for the blink of a transaction. */
const size = 1_000;

/**
 * Deletes what has had its day from a table, in batches, with the path `dispatcher`.
 * @param condition SQL on the table's columns
 * @returns how many rows
 */
export const deleteRows = (em: EntityManager, table: string, condition: string, signal: AbortSignal): Promise<number> =>
  inBatches({ size, signal }, (most) =>
    inSystem(em, 'dispatcher', async (tx) => {
      const [row] = await tx.execute<{ count: number }[]>(
        `with gone as (
           delete from ${table} where ctid = any (array(select ctid from ${table} where ${condition} limit ?)) returning 1
         ) select count(*)::integer as count from gone`,
        [most],
      );
      return row?.count ?? 0;
    }),
  );
