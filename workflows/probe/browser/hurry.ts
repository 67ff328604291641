import type { BrowserContext } from 'playwright-core';

/**
 * Lets the first timers of each page that wait for up to five seconds run soon: pages that lead on "in a few seconds" are looked at for
 * less than that. What repeats itself is left at its pace but for these.
 */
export async function hurryTimers(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const [fewest, most, soonMs] = [150, 5_000, 100];
    let left = 5;
    const set = globalThis.setTimeout;
    const hurried = (handler: TimerHandler, delay?: number, ...given: unknown[]) => {
      const isHurried = Number(delay) > fewest && Number(delay) <= most && left > 0;
      if (isHurried) left -= 1;
      return set(handler, isHurried ? soonMs : delay, ...given);
    };
    globalThis.setTimeout = hurried as typeof globalThis.setTimeout;
  });
}
