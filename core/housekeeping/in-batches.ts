import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseDown } from '../db/failures.ts';

/** How housekeeping goes about what may be a lot. */
type Batches = {
  /** Of the first batch. */
  size: number;
  /** Ends between two batches. */
  signal: AbortSignal;
};

/** Between two batches, so that calls get their turn. */
const pauseMs = 50;
/** Of a batch that failed; few steps lead from any size to one. */
const smaller = 4;

/**
 * Repeats work until a batch is not full. One that fails, as by the time limit of statements when rows are heavy, is
 * tried again with a quarter of its size, down to a single row.
 * @param work processes at most `size` rows in a transaction of its own, and returns how many it processed
 * @returns how many in all
 * @throws the failure of a batch of one, and any failure while PostgreSQL is away
 */
export async function inBatches({ size, signal }: Batches, work: (size: number) => Promise<number>): Promise<number> {
  let done = 0;
  let most = size;
  while (!signal.aborted) {
    const count = await work(most).catch((error: unknown) => {
      if (most === 1 || isDatabaseDown(error)) throw error;
    });
    if (count === undefined) most = Math.max(1, Math.floor(most / smaller));
    else {
      done += count;
      if (count < most) break;
    }
    await sleep(pauseMs);
  }
  return done;
}
