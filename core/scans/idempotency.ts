import { createHash } from 'node:crypto';
import { DriverException } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { idempotencyKeyPattern } from '../../kit/idempotency-key.ts';
import { lockName } from '../db/locks.ts';
import { inOrg } from '../db/session.ts';
import { invalid, Refusal } from '../errors.ts';
import { IdempotencyKeyEntity } from './entities.ts';

const form = new RegExp(idempotencyKeyPattern);

const keptForMs = 24 * 3_600_000;

/** A request waits this long for one with the same key, which as a rule takes milliseconds. */
const patienceMs = 5_000;

/** PostgreSQL's lock_not_available: the lock_timeout has passed. */
const lockTimedOut = '55P03';

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

/** A place for the answer to one key. */
type IdempotentAnswer = {
  /** The answer that was given before, as stored. */
  stored?: unknown;
  /** Stores the answer with the transaction: only what commits is ever replayed. */
  store(response: object): Promise<void>;
};

/**
 * Takes the key for this transaction. Requests with the same key wait for each other, on any number of servers,
 * and the lock goes with the transaction, however it ends.
 * @param request what makes two requests the same
 * @throws Refusal IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_KEY_IN_FLIGHT
 */
export async function takeIdempotencyKey(
  tx: EntityManager,
  orgId: string,
  key: string,
  request: readonly unknown[],
): Promise<IdempotentAnswer> {
  await waitForKey(tx, `${orgId}/${key}`);
  const stored = await readAnswer(tx, orgId, key, request);
  if (stored !== undefined) return { stored, store: async () => {} };
  return {
    store: async (response) => {
      const now = new Date();
      const expiresAt = new Date(now.getTime() + keptForMs);
      await tx.upsert(IdempotencyKeyEntity, {
        orgId,
        key,
        requestHash: hashOf(request),
        response,
        createdAt: now,
        expiresAt,
      });
    },
  };
}

/**
 * The answer that was given to a key before; undefined when there is none yet. Waits for nobody.
 * @throws Refusal IDEMPOTENCY_KEY_REUSED
 */
export const findStoredAnswer = (
  em: EntityManager,
  orgId: string,
  key: string,
  request: readonly unknown[],
): Promise<unknown> => inOrg(em, orgId, (tx) => readAnswer(tx, orgId, key, request));

async function readAnswer(
  tx: EntityManager,
  orgId: string,
  key: string,
  request: readonly unknown[],
): Promise<unknown> {
  const known = await tx.findOne(IdempotencyKeyEntity, { orgId, key });
  if (!known || known.expiresAt.getTime() <= Date.now()) return undefined;
  if (known.requestHash !== hashOf(request)) throw new Refusal('IDEMPOTENCY_KEY_REUSED');
  return known.response;
}

const hashOf = (request: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('hex');

async function waitForKey(tx: EntityManager, name: string): Promise<void> {
  try {
    await tx.execute(`set local lock_timeout = '${patienceMs}ms'`);
    await lockName(tx, 'idempotencyKey', name);
    await tx.execute('set local lock_timeout = 0');
  } catch (error) {
    if (error instanceof DriverException && error.code === lockTimedOut)
      throw new Refusal('IDEMPOTENCY_KEY_IN_FLIGHT', { retryAfterMs: 1_000 });
    throw error;
  }
}
