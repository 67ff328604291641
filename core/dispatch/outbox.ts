import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from '../../kit/logger.ts';
import { inSystem } from '../db/session.ts';
import { isTemporalDown, type Orchestrator } from './temporal.ts';

/** Messages that are delivered side by side in one transaction. */
const batchSize = 20;

/** A message that Temporal refused waits twice as long each time, up to this. */
const maxDelaySeconds = 30;

type Message = {
  id: string;
  run_id: string;
  kind: 'start' | 'cancel';
  attempts: number;
  depth: 'standard' | 'deep';
  finished: boolean;
};

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
    const messages = await tx.execute<Message[]>(
      `select o.id, o.run_id, o.kind, o.attempts, s.depth, s.finished_at is not null as finished
       from outbox o join scans s using (run_id)
       where o.available_at <= now() order by o.available_at, o.id limit ? for update of o skip locked`,
      [batchSize],
    );
    const results = await Promise.allSettled(messages.map((message) => deliver(temporal, message)));
    const delivered: string[] = [];
    let isDown = false;
    for (const [index, message] of messages.entries()) {
      const result = results[index];
      if (result?.status !== 'rejected') {
        delivered.push(message.id);
        log.info({ runId: message.run_id, kind: message.kind }, 'Temporal took a message');
        continue;
      }
      isDown ||= isTemporalDown(result.reason);
      await postpone(tx, message, result.reason);
      log.warn({ err: result.reason, runId: message.run_id, kind: message.kind }, 'Temporal did not take a message');
    }
    if (delivered.length > 0) await tx.execute('delete from outbox where id in (?)', [delivered]);
    if (isDown) return 'down';
    return messages.length === batchSize ? 'more' : 'done';
  });
}

async function deliver(temporal: Orchestrator, { run_id, kind, depth, finished }: Message): Promise<void> {
  if (kind === 'cancel') await temporal.cancel(run_id);
  else if (!finished) await temporal.start(run_id, depth);
}

/** An outage is asked about every second; a refusal of this one message less and less often. */
async function postpone(tx: EntityManager, { id, attempts }: Message, error: unknown): Promise<void> {
  const delaySeconds = isTemporalDown(error) ? 1 : Math.min(2 ** attempts, maxDelaySeconds);
  await tx.execute(
    `update outbox set attempts = attempts + 1, available_at = clock_timestamp() + make_interval(secs => ?),
      last_error = ? where id = ?`,
    [delaySeconds, String(error).slice(0, 500), id],
  );
}
