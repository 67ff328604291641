import { createHash } from 'node:crypto';
import { idempotencyKeyPattern } from '../../kit/idempotency-key.ts';
import { isLockTimeout } from '../db/failures.ts';
import { lockExpression } from '../db/locks.ts';
import type { Statement } from '../db/session.ts';
import { invalid, Refusal } from '../errors.ts';

const form = new RegExp(idempotencyKeyPattern);

/** A request waits this long for one with the same key, which as a rule takes milliseconds. */
const patienceMs = 5_000;

/**
 * The key of an Idempotency-Key header; undefined without one.
 * @throws Refusal INVALID_PARAMETER
 */
export function readIdempotencyKey(header: string | null): string | undefined {
  if (header === null) return undefined;
  if (!form.test(header))
    throw invalid('INVALID_PARAMETER', 'Idempotency-Key', 'use 1 to 255 printable ASCII characters');
  return header;
}

/** A request that is made under a key of its caller's. */
export type KeyedRequest = {
  orgId: string;
  key: string;
  /** What makes two requests the same. */
  request: readonly unknown[];
};

/**
 * Holds the key until the transaction ends. Requests with the same key wait for each other, on any number of servers, and
 * the lock goes with the transaction, however it ends.
 */
export function lockKey({ orgId, key }: KeyedRequest): Statement[] {
  const { sql, params } = lockExpression('idempotencyKey', `${orgId}/${key}`);
  return [
    { sql: `set local lock_timeout = '${patienceMs}ms'`, params: [] },
    { sql: `select ${sql}`, params },
    { sql: 'set local lock_timeout = 0', params: [] },
  ];
}

/** As `fn` does; one that `lockKey` made wait for too long is refused. @throws Refusal IDEMPOTENCY_KEY_IN_FLIGHT */
export async function patiently<T>(fn: () => Promise<T>): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    if (isLockTimeout(error)) throw new Refusal('IDEMPOTENCY_KEY_IN_FLIGHT', { retryAfterMs: 1_000 });
    throw error;
  }
}

const isStored = 'from idempotency_keys where org_id = ? and key = ? and expires_at > now()';

/** The answer that was given to a key before: a row for `readStored`, or none. */
export const storedAnswer = ({ orgId, key }: KeyedRequest): Statement => ({
  sql: `select request_hash, response ${isStored}`,
  params: [orgId, key],
});

/** Whether no answer was given to a key before. */
export const isUnanswered = ({ orgId, key }: KeyedRequest): Statement => ({
  sql: `not exists (select ${isStored})`,
  params: [orgId, key],
});

/**
 * The answer in the rows of `storedAnswer`; undefined when there is none yet.
 * @throws Refusal IDEMPOTENCY_KEY_REUSED
 */
export function readStored({ request }: KeyedRequest, [row]: readonly Record<string, unknown>[] = []): unknown {
  if (row === undefined) return undefined;
  if (row.request_hash !== hashOf(request)) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return row.response;
}

/** Stores the answer with the transaction, where its hold was taken: only what commits is ever replayed. */
export const storeAnswer = ({ orgId, key, request }: KeyedRequest, response: object, holdId: string): Statement => ({
  sql: `insert into idempotency_keys (org_id, key, request_hash, response, expires_at)
    select org_id, ?, ?, ?::jsonb, now() + interval '1 day' from credit_holds where id = ? and org_id = ?
    on conflict (org_id, key) do update set request_hash = excluded.request_hash, response = excluded.response,
      created_at = excluded.created_at, expires_at = excluded.expires_at`,
  params: [key, hashOf(request), JSON.stringify(response), holdId, orgId],
});

const hashOf = (request: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');
