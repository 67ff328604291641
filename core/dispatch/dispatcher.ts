import { repeat } from '../background.ts';
import type { Dispatcher } from '../context.ts';
import { drainOutbox, type OutboxDeps } from './outbox.ts';

/**
 * Delivers the messages of the outbox, in the background, until it is stopped.
 * @param pauseMs between looks for messages that nobody woke it for; default 1,000
 */
export function startDispatcher(deps: OutboxDeps, pauseMs = 1_000): Dispatcher {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { wake, ended } = repeat(() => drainOutbox(deps, signal), 'draining the outbox', pauseMs, {
    log: deps.log,
    signal,
  });
  return {
    wake,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
