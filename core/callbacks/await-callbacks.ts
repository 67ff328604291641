import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type AwaitCallbacksRequest,
  type Callback,
  CallbackProtocolSchema,
  CallbackSchema,
} from '../../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { enumValue } from '../enum-words.ts';
import { readRunningRun } from '../runs/in-run.ts';
import { CallbackEntity } from './entities.ts';

/** Each look is one read by the primary key. A worker waits once for all that it has sent, so that few calls wait at a time. */
const lookEveryMs = 200;

/**
 * What is known of these tokens, as soon as one was called back with, or when the time has passed. No transaction is held meanwhile.
 * @throws Refusal NOT_FOUND, RUN_NOT_RUNNING
 */
export async function awaitCallbacks(
  em: EntityManager,
  { runId, tokens, waitMs }: AwaitCallbacksRequest,
  signal: AbortSignal,
): Promise<Callback[]> {
  const endMs = Date.now() + waitMs;
  for (;;) {
    const found = await known(em, runId, tokens);
    const leftMs = endMs - Date.now();
    if (found.length > 0 || leftMs <= 0) return found;
    await sleep(Math.min(lookEveryMs, leftMs), undefined, { signal });
  }
}

async function known(em: EntityManager, runId: string, tokens: readonly string[]): Promise<Callback[]> {
  const rows = await readRunningRun(em, runId, (tx) =>
    tx.find(CallbackEntity, { runId, token: { $in: [...tokens] } }, { orderBy: { receivedAt: 'asc' } }),
  );
  return rows.map(({ token, protocol, address, detail, receivedAt }) =>
    create(CallbackSchema, {
      ...{ runId, token, address, detail },
      protocol: enumValue(CallbackProtocolSchema, protocol),
      receivedAt: timestampFromDate(receivedAt),
    }),
  );
}
