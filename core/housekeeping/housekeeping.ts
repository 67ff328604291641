import { repeat, untilDone } from '../background.ts';
import { purge } from './purge.ts';
import { type ReconcileDeps, reconcile } from './reconcile.ts';

const hourMs = 3_600_000;

/**
 * Looks after what became of scans, and removes what has had its day, in the background, until it is stopped: compares
 * scans under way with their workflows each minute, purges each hour, and sees to the daily look at proofs of ownership.
 */
export function startHousekeeping(deps: ReconcileDeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const background = { log: deps.log, signal };
  const tasks = [
    repeat(() => reconcile(deps, signal), 'reconciling', 60_000, background).ended,
    repeat(() => purge(deps, signal), 'purging', hourMs, background).ended,
    untilDone(() => deps.temporal.scheduleRechecks(), 'scheduling the looks at proofs', background),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(tasks);
    },
  };
}
