import { repeat } from '../background.ts';
import type { Dispatcher } from '../context.ts';
import { drainOutbox, type OutboxDeps, reviveParked } from './outbox.ts';

/**
 * Delivers the messages of the outbox, in the background, until it is stopped; parked ones are tried anew first.
 * @param pauseMs between looks for messages that nobody woke it for; default 1,000
 */
export function startDispatcher(deps: OutboxDeps, pauseMs = 1_000): Dispatcher {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isRevived = false;
  const round = async () => {
    if (!isRevived) await reviveParked(deps);
    isRevived = true;
    await drainOutbox(deps, signal);
  };
  const { wake, ended } = repeat(round, 'draining the outbox', pauseMs, { log: deps.log, signal });
  return {
    wake,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
