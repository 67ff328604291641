import { createContextKey } from '@connectrpc/connect';
import type { EntityManager } from '@mikro-orm/postgresql';
import { callFunction } from '../db/session.ts';
import { Refusal } from '../errors.ts';
import type { Bucket } from './buckets.ts';

export type TakenTokens = Bucket & {
  isAllowed: boolean;
  /** Calls that could follow at once. */
  remaining: number;
  /** Until a token is there, when it was refused; else 0. */
  waitMs: number;
  /** Until the bucket is full again. */
  resetMs: number;
};

/** What the rate limits have said of a call. */
export const takenKey = createContextKey<readonly TakenTokens[]>([], { description: 'tokens taken' });

type TokenRow = { is_allowed: boolean; remaining: number; wait_ms: number; reset_ms: number };

/**
 * Takes the tokens that each bucket's `cost` says, or none when one of them has too few. One statement, on the database's
 * clock, so it is exact for any number of servers (migrations/0021-key-limits.ts). Runs outside of any transaction: a
 * call that fails later has still been made, and calls of one key do not wait for each other's work.
 */
export async function takeTokens(em: EntityManager, buckets: readonly Bucket[]): Promise<TakenTokens[]> {
  const rows = await callFunction<TokenRow>(
    em,
    'select is_allowed, remaining, wait_ms, reset_ms from take_tokens($1, $2::integer[], $3::integer[])',
    [buckets.map(({ id }) => id), buckets.map(({ perMinute }) => perMinute), buckets.map(({ cost }) => cost)],
  );
  return rows.flatMap((row, index) => {
    const bucket = buckets[index];
    const { is_allowed: isAllowed, remaining, wait_ms: waitMs, reset_ms: resetMs } = row;
    return bucket ? [{ ...bucket, isAllowed, remaining, waitMs: isAllowed ? 0 : waitMs, resetMs }] : [];
  });
}

/** Gives back what a call has taken that is refused without a charge. @returns what is left */
export function giveBack(em: EntityManager, taken: readonly TakenTokens[]): Promise<TakenTokens[]> {
  // Where one bucket refused, none has given a token.
  const hasPaid = taken.every(({ isAllowed }) => isAllowed);
  return takeTokens(
    em,
    taken.map((bucket) => ({ ...bucket, cost: hasPaid && bucket.cost === 1 ? -1 : 0 })),
  );
}

/** @throws Refusal RATE_LIMITED when a bucket had too few tokens */
export function requireAllowed(taken: readonly TakenTokens[]): void {
  const refused = taken.filter(({ isAllowed }) => !isAllowed);
  if (refused.length === 0) return;
  throw new Refusal('RATE_LIMITED', {
    message: `Too many ${refused.map(({ policyName }) => said[policyName]).join(' and ')} in a minute.`,
    retryAfterMs: Math.ceil(Math.max(...refused.map(({ waitMs }) => waitMs))),
  });
}

const said: Record<Bucket['policyName'], string> = {
  requests: 'requests of this key',
  'org-requests': "requests of the org's keys together",
  starts: 'starts of the org',
};
