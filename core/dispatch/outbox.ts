import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '../../kit/logger.ts';
import { inSystem } from '../db/session.ts';
import { kinds, type MessageKind, type MessagePayload } from '../outbox/kinds.ts';
import { deliveries } from './deliveries.ts';
import { isTemporalDown, type Orchestrator } from './temporal.ts';

/** Messages that are delivered side by side in one transaction. */
const batchSize = 20;

/** A message that Temporal refused waits twice as long each time, up to this. */
const maxDelaySeconds = 30;

type OutboxMessage = { id: string; kind: string; key: string; payload: unknown; attempts: number };

/** What the outbox works with. */
export type OutboxDeps = { em: EntityManager; temporal: Orchestrator; log: Logger };

/** Temporal that is down is not asked more often, however many messages are left meanwhile. */
const downPauseMs = 1_000;

/**
 * Delivers what is due, until nothing is or Temporal is down. Any number of programs may do so at the same time: each
 * message is locked by the one that delivers it, and stays when that one dies. So a message may be delivered twice,
 * which Temporal's workflow id makes harmless.
 */
export async function drainOutbox(deps: OutboxDeps, signal: AbortSignal): Promise<void> {
  let state: Awaited<ReturnType<typeof deliverBatch>> = 'more';
  while (!signal.aborted && state === 'more') state = await deliverBatch(deps);
  if (state === 'down') await sleep(downPauseMs, undefined, { signal }).catch(() => {});
}

/** @returns whether there may be more to deliver now */
async function deliverBatch({ em, temporal, log }: OutboxDeps): Promise<'more' | 'done' | 'down'> {
  return inSystem(em, 'dispatcher', async (tx) => {
    const messages = await tx.execute<OutboxMessage[]>(
      `select id, kind, key, payload, attempts from outbox
       where available_at <= now() order by available_at, id limit ? for update skip locked`,
      [batchSize],
    );
    const results = await Promise.allSettled(messages.map((message) => deliver(temporal, message)));
    const delivered: string[] = [];
    let isDown = false;
    for (const [index, message] of messages.entries()) {
      const result = results[index];
      if (result?.status !== 'rejected') {
        delivered.push(message.id);
        log.info({ ...Object(message.payload), kind: message.kind }, 'delivered a message');
        continue;
      }
      isDown ||= isTemporalDown(result.reason);
      await postpone(tx, message, result.reason);
      log.warn({ ...Object(message.payload), err: result.reason, kind: message.kind }, 'a message was not delivered');
    }
    if (delivered.length > 0) await tx.execute('delete from outbox where id in (?)', [delivered]);
    if (isDown) return 'down';
    return messages.length === batchSize ? 'more' : 'done';
  });
}

/** @throws Error also for a kind that this program does not know: a newer one beside it may deliver it */
async function deliver(temporal: Orchestrator, { kind, payload }: OutboxMessage): Promise<void> {
  const by = deliveries(temporal);
  if (!isKind(kind)) throw new Error(`there is no delivery for messages of the kind "${kind}"`);
  const send = <K extends MessageKind>(known: K) => by[known](kinds[known].parse(payload) as MessagePayload<K>);
  await send(kind);
}

const isKind = (name: string): name is MessageKind => Object.hasOwn(kinds, name);

/** An outage is asked about every second; a refusal of this one message less and less often. */
async function postpone(tx: EntityManager, { id, attempts }: OutboxMessage, error: unknown): Promise<void> {
  const delaySeconds = isTemporalDown(error) ? 1 : Math.min(2 ** attempts, maxDelaySeconds);
  await tx.execute(
    `update outbox set attempts = attempts + 1, available_at = clock_timestamp() + make_interval(secs => ?),
      last_error = ? where id = ?`,
    [delaySeconds, String(error).slice(0, 500), id],
  );
}
