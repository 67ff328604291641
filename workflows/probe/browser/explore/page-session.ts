import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Request } from 'playwright-core';
import type { Settle } from '../settle.ts';
import type { Watch } from '../watch.ts';
import type { Hold } from './hold.ts';
import { restoreStored, type StoredEntries } from './stored.ts';

/** What a control asks for at once is known by then, and answered by the other. */
const askMs = 40;
const answerMs = 500;

/** A page while it is used. @property open requests without an answer @property endMs of performance.now */
export type ExploredPageSession = {
  page: Page;
  open: ReadonlySet<Request>;
  name: string;
  watch: Watch;
  settle: Settle;
  hold: Hold;
  /** Aborted when nothing is to be done any more. */
  limit: AbortSignal;
  endMs: number;
};

export const timeLeft = ({ endMs }: ExploredPageSession): number => Math.max(1, endMs - performance.now());

export function openRequests(context: BrowserContext): ReadonlySet<Request> {
  const open = new Set<Request>();
  context.on('request', (request) => open.add(request));
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  return open;
}

/** Waits for what a control has asked for, and what asks for more in turn; not for what the page asks for besides. */
export async function react({ page, open, watch }: ExploredPageSession, before: ReadonlySet<Request>): Promise<void> {
  const endMs = performance.now() + answerMs;
  const isWaiting = () => [...open].some((request) => !before.has(request));
  let count = 0;
  do {
    count = watch.requests.length;
    await sleep(askMs);
  } while ((isWaiting() || watch.requests.length > count) && performance.now() < endMs && !page.isClosed());
}

export async function load(session: ExploredPageSession, url: string): Promise<number> {
  const { page, settle, hold } = session;
  hold.back = 'nothing';
  const response = await page.goto(url, { waitUntil: 'commit', timeout: timeLeft(session) });
  await page.waitForLoadState('load', { timeout: timeLeft(session) }).catch(() => {});
  await settle(timeLeft(session));
  hold.back = 'navigations';
  return response?.status() ?? 0;
}

/**
 * Loads the page anew after controls were used that send something: what these have put off is given up with the old page, and what
 * they have stored is taken back, before anything leaves the browser again.
 */
export async function loadAfterHeld(session: ExploredPageSession, url: string, stored: StoredEntries): Promise<void> {
  const { page } = session;
  session.hold.back = 'all';
  await restoreStored(page, stored);
  await page.goto('about:blank', { waitUntil: 'commit', timeout: timeLeft(session) });
  await load(session, url);
}
