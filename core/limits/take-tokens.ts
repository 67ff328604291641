import type { EntityManager } from '@mikro-orm/postgresql';
import type { Bucket } from './buckets.ts';

export type Taken = Bucket & {
  isAllowed: boolean;
  /** Calls that could follow at once. */
  remaining: number;
  /** Until a token is there, when it was refused; else 0. */
  waitMs: number;
  /** Until the bucket is full again. */
  resetMs: number;
};

type Row = { is_allowed: boolean; remaining: number; wait_ms: number; reset_ms: number };

/**
 * Takes `cost` tokens from every bucket, or from none when one is empty. One statement, on the database's clock, so it is
 * exact over any number of servers (migrations/0001-tenancy.ts). Runs outside of any transaction: a call that
 * fails later has still been made, and calls of one key do not wait for each other's work.
 */
export async function takeTokens(em: EntityManager, buckets: readonly Bucket[], cost: 0 | 1 = 1): Promise<Taken[]> {
  const rows = await em.execute<Row[]>(
    'select is_allowed, remaining, wait_ms, reset_ms from take_tokens(array[?], array[?]::integer[], ?)',
    [buckets.map(({ id }) => id), buckets.map(({ perMinute }) => perMinute), cost],
  );
  return rows.flatMap((row, index) => {
    const bucket = buckets[index];
    const { is_allowed: isAllowed, remaining, wait_ms: waitMs, reset_ms: resetMs } = row;
    return bucket ? [{ ...bucket, isAllowed, remaining, waitMs: isAllowed ? 0 : waitMs, resetMs }] : [];
  });
}
