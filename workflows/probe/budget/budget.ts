import { setTimeout as sleep } from 'node:timers/promises';
import type { BudgetShare } from '../../model/budget.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { createPacer, type PacedAnswer } from './pacer.ts';
import { type ConnectionSlots, connectionSlots } from './slots.ts';

/** Keeps one activity within its share of what the run may send. */
export type Budget = {
  /**
   * Takes one request and waits for its place.
   * @throws ProbeError `budget_exhausted`, `out_of_time`
   */
  take(signal: AbortSignal): Promise<void>;
  observe(answer: PacedAnswer): void;
  /** Something before the target refused a request. */
  refused(reason: string): void;
  connections: ConnectionSlots;
  requests(): number;
  slowedDown(): string | undefined;
  /** Milliseconds until nothing more is sent. */
  remainingMs(): number;
};

export function createBudget(share: BudgetShare): Budget {
  const pacer = createPacer(share.requestsPerSecond);
  let requests = 0;
  const remainingMs = () => Math.max(0, share.deadlineMs - Date.now());
  return {
    async take(signal) {
      if (remainingMs() === 0) throw new ProbeError('out_of_time', 'the time for this part of the scan is used up');
      if (requests >= share.maxRequests)
        throw new ProbeError(
          'budget_exhausted',
          `all ${share.maxRequests} requests of this part of the scan are used up`,
        );
      const waitMs = pacer.next();
      if (waitMs >= remainingMs())
        throw new ProbeError('out_of_time', 'the target is too slow for the time that is left');
      requests++;
      // Its own error says nothing of why the signal was aborted.
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    },
    observe: pacer.observe,
    refused: pacer.refused,
    connections: connectionSlots(share.maxConnections),
    requests: () => requests,
    slowedDown: pacer.slowedDown,
    remainingMs,
  };
}
