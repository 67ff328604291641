import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Request } from 'playwright-core';

/** After load and after each click, script gets this long to act: enough for a timer or two. */
const actMs = 300;
/** What an answer brought gets this long to ask for more. */
const quietMs = 100;
/** Pages that never fall silent are looked at as they are. */
const maxWaitMs = 1_500;
const pollMs = 25;

/**
 * Waits until the pages of a context ask for nothing more.
 * @param isDone ends the wait as soon as it holds
 */
export type Settle = (timeoutMs: number, isDone?: () => boolean) => Promise<void>;

/** Playwright's own wait for silence takes half a second of it on every page. Begins to count with the context's next request. */
export function watchTraffic(context: BrowserContext): Settle {
  const open = new Set<Request>();
  let lastEndMs = 0;
  const ended = (request: Request) => {
    open.delete(request);
    lastEndMs = performance.now();
  };
  context.on('request', (request) => open.add(request));
  context.on('requestfinished', ended);
  context.on('requestfailed', ended);
  return async (timeoutMs, isDone = () => false) => {
    const startMs = performance.now();
    const endMs = startMs + Math.min(timeoutMs, maxWaitMs);
    const until = async (limitMs: number, hasEnded: () => boolean) => {
      while (!hasEnded() && performance.now() < limitMs) await sleep(pollMs);
    };
    await until(startMs + Math.min(timeoutMs, actMs), isDone);
    if (isDone()) return;
    await turns(context, endMs - performance.now());
    const isQuiet = () => open.size === 0 && performance.now() - lastEndMs >= quietMs;
    await until(endMs, () => isDone() || isQuiet());
  };
}

/**
 * Asks each page something that it answers in its own turn: on a busy machine the time above may have passed before its script
 * had any. A page that is caught in a loop does not answer, and is not waited for longer than that.
 */
async function turns(context: BrowserContext, timeoutMs: number): Promise<void> {
  const answered = Promise.all(context.pages().map((page) => page.locator(':root').count())).catch(() => {});
  await Promise.race([answered, sleep(Math.max(0, timeoutMs), undefined, { ref: false })]);
}
