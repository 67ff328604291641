import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from '../context.ts';
import { purge } from '../housekeeping/purge.ts';
import { reconcile } from '../housekeeping/reconcile.ts';
import { drainOutbox, type OutboxDeps } from './outbox.ts';

/** How often each is done; tests are less patient. Milliseconds. */
export type Pace = {
  /** Looking for messages that nobody woke the dispatcher for. Default 1,000. */
  drainMs?: number;
  /** Comparing scans under way with their workflows. Default 60,000. */
  reconcileMs?: number;
  /** Removing what has had its day: stored answers, scans, credit. Default 3,600,000. */
  purgeMs?: number;
};

/** Carries messages to Temporal and looks after what became of them, in the background, until it is stopped. */
export function startDispatcher(deps: OutboxDeps, pace: Pace = {}): Dispatcher {
  const stopping = new AbortController();
  const drain = repeat(deps, stopping.signal, pace.drainMs ?? 1_000, drainOutbox);
  const scheduling = untilDone(deps, stopping.signal, scheduleRechecks);
  const reconciliation = repeat(deps, stopping.signal, pace.reconcileMs ?? 60_000, reconcile);
  const purging = repeat(deps, stopping.signal, pace.purgeMs ?? 3_600_000, purge);
  return {
    wake: drain.wake,
    check: () => deps.temporal.check(),
    verify: (checkId) => deps.temporal.verify(checkId),
    async stop() {
      stopping.abort();
      await Promise.all([drain.ended, reconciliation.ended, purging.ended, scheduling]);
      await deps.temporal.close();
    },
  };
}

const scheduleRechecks: Task = ({ temporal }) => temporal.scheduleRechecks();

/** Does a task once, as soon as it can be done. */
async function untilDone(deps: OutboxDeps, signal: AbortSignal, task: Task): Promise<void> {
  for (let pauseMs = 1_000; !signal.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await task(deps, signal);
    } catch (err) {
      deps.log.debug({ err }, `${task.name} is tried again`);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

const maxPauseMs = 60_000;

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
