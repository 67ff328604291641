import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from '../context.ts';
import { inSystem } from '../db/session.ts';
import { drainOutbox, type OutboxDeps } from './outbox.ts';
import { reconcile } from './reconcile.ts';

/** How often each is done; tests are less patient. Milliseconds. */
export type Pace = {
  /** Looking for messages that nobody woke the dispatcher for. Default 1,000. */
  drainMs?: number;
  /** Comparing scans under way with their workflows. Default 60,000. */
  reconcileMs?: number;
  /** Removing stored answers that have expired. Default 3,600,000. */
  purgeMs?: number;
};

/** Carries messages to Temporal and looks after what became of them, in the background, until it is stopped. */
export function startDispatcher(deps: OutboxDeps, pace: Pace = {}): Dispatcher {
  const stopping = new AbortController();
  const drain = repeat(deps, stopping.signal, pace.drainMs ?? 1_000, drainOutbox);
  const reconciliation = repeat(deps, stopping.signal, pace.reconcileMs ?? 60_000, reconcile);
  const purge = repeat(deps, stopping.signal, pace.purgeMs ?? 3_600_000, purgeAnswers);
  return {
    wake: drain.wake,
    check: () => deps.temporal.check(),
    async stop() {
      stopping.abort();
      await Promise.all([drain.ended, reconciliation.ended, purge.ended]);
      await deps.temporal.close();
    },
  };
}

type Task = (deps: OutboxDeps, signal: AbortSignal) => Promise<void>;

/** Does a task at once, then after each pause or when woken. A wake during the task makes it run once more. */
function repeat(deps: OutboxDeps, signal: AbortSignal, pauseMs: number, task: Task) {
  let isWoken = false;
  let pause = new AbortController();
  const run = async () => {
    while (!signal.aborted) {
      isWoken = false;
      await task(deps, signal).catch((err: unknown) => deps.log.error({ err }, `${task.name} failed`));
      if (isWoken) continue;
      pause = new AbortController();
      await sleep(pauseMs, undefined, { signal: AbortSignal.any([signal, pause.signal]) }).catch(() => {});
    }
  };
  const wake = () => {
    isWoken = true;
    pause.abort();
  };
  return { wake, ended: run() };
}

async function purgeAnswers({ em }: OutboxDeps): Promise<void> {
  await inSystem(em, 'dispatcher', (tx) => tx.execute('delete from idempotency_keys where expires_at < now()'));
}
