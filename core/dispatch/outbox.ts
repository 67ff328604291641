import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '../../kit/logger.ts';
import { inSystem } from '../db/session.ts';
import { kinds, type MessageKind, type MessagePayload } from '../outbox/kinds.ts';
import { deliveries } from './deliveries.ts';
import { isTemporalDown, type Orchestrator } from './temporal.ts';

/** Messages that are delivered side by side in one transaction. */
const batchSize = 20;

/** A message that was refused waits twice as long each time, up to this. */
const maxDelaySeconds = 2 * 60 * 60;

/** About a day of tries. A message that was refused so often is parked: `reviveParked` has it tried again. */
export const maxAttempts = 24;

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
      const isParked = await postpone(tx, message, result.reason);
      const about = { ...Object(message.payload), err: result.reason, kind: message.kind };
      if (isParked) log.error(about, `a message was refused ${maxAttempts} times and is parked until a core starts`);
      else log.warn(about, 'a message was not delivered');
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

/**
 * An outage is asked about every second and counts for nothing; a refusal of this one message less and less often.
 * @returns whether it is parked
 */
async function postpone(tx: EntityManager, { id, attempts }: OutboxMessage, error: unknown): Promise<boolean> {
  const isDown = isTemporalDown(error);
  const tried = isDown ? attempts : attempts + 1;
  const isParked = tried >= maxAttempts;
  const delaySeconds = isDown ? 1 : Math.min(2 ** attempts, maxDelaySeconds);
  await tx.execute(
    `update outbox set attempts = ?, last_error = ?,
      available_at = case when ? then 'infinity' else clock_timestamp() + make_interval(secs => ?) end where id = ?`,
    [tried, String(error).slice(0, 500), isParked, delaySeconds, id],
  );
  return isParked;
}

/** Has parked messages tried anew: a program that starts may be able to deliver what the one before could not. */
export async function reviveParked({ em, log }: Pick<OutboxDeps, 'em' | 'log'>): Promise<void> {
  const revived = await inSystem(em, 'dispatcher', (tx) =>
    tx.execute<unknown[]>(
      "update outbox set attempts = 0, available_at = now() where available_at = 'infinity' returning id",
    ),
  );
  if (revived.length > 0) log.warn({ messages: revived.length }, 'parked messages are tried again');
}
