import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Response } from 'playwright-core';
import { getDomain } from 'tldts';
import type { BrowserResult, BrowserVisit } from '../../model/browser.ts';
import type { GateRequest } from '../../model/gate.ts';
import type { CookieJar, HeaderList } from '../../model/http.ts';
import { inTime } from '../in-time.ts';
import { hurryTimers } from './hurry.ts';
import { readLibraries, readPrototype } from './libraries.ts';
import { type PageState, readState } from './page-state.ts';
import { pressOnPage } from './press.ts';
import type { Proxied } from './proxy-parts.ts';
import { followRefresh } from './refresh.ts';
import { type Settle, watchTraffic } from './settle.ts';
import { watchNavigations, watchSinks } from './sinks.ts';
import { fillStorage, keepStorage } from './storage.ts';
import { addRefused, newWatch, type Watch, watchContext, watchViolations } from './watch.ts';

const maxCookiesSent = 500;
const maxReasonLength = 200;
/** A click waits this long for its element; pages need not have it. */
const appearMs = 1_000;
/** One that is there may be moving, or the machine be busy. */
const clickMs = 3_000;
/** Kept back from the visit's time, to read what the page became. */
const readingMs = 1_500;

/**
 * Loads a page in a new context, lets its script run, clicks, and reads what came of it.
 * @param isAllowed whether a URL is one that this visit may ask for
 * @param mayAsk what the write gate says of a request
 * @param limit aborted at the latest at `endMs` (of performance.now)
 * @throws ProbeError, or what Playwright throws when there is no page to look at
 */
export async function look(
  context: BrowserContext,
  isAllowed: (url: string) => boolean,
  request: BrowserVisit,
  proxied: readonly Proxied[],
  limit: AbortSignal,
  endMs: number,
  mayAsk: (request: GateRequest) => boolean,
): Promise<BrowserResult> {
  const watch = newWatch();
  watchContext(context, isAllowed, watch);
  const settle = watchTraffic(context);
  if (request.jar) await addCookies(context, request.jar);
  if (request.storage) await fillStorage(context, request.storage);
  if (request.trace) await watchSinks(context, request.trace, watch);
  await hurryTimers(context);
  const page = await context.newPage();
  const { words } = request.trace ?? {};
  if (words) {
    watchNavigations(page, words, watch);
    context.on('page', (opened) => watchNavigations(opened, words, watch, true));
  }
  await watchViolations(page, watch);
  const answer = await inTime(drive(page, request, proxied, { settle, watch, mayAsk }, endMs - readingMs), limit);
  const state = await inTime(readState(page), limit);
  const cookies = await inTime(context.cookies(), limit);
  // Last, since it asks what the page's script made.
  const [libraries, prototype] = await inTime(Promise.all([readLibraries(page), readPrototype(page)]), limit);
  addRefused(watch, proxied);
  const sent = allCookiesSent(proxied);
  watch.unread.parts += Math.max(0, sent.length - maxCookiesSent);
  const result = {
    ...toResult(watch, state, answer, cookies),
    cookiesSent: sent.slice(0, maxCookiesSent),
    libraries,
    prototype,
  };
  if (request.storage) keepStorage(request.storage, result);
  return result;
}

type DocumentAnswer = { status: number; headers: HeaderList };
type Driven = DocumentAnswer & Pick<BrowserResult, 'unpressed'>;

async function drive(
  page: Page,
  request: BrowserVisit,
  proxied: readonly Proxied[],
  { settle, watch, mayAsk }: { settle: Settle; watch: Watch; mayAsk: (request: GateRequest) => boolean },
  endMs: number,
): Promise<Driven> {
  const timeLeft = () => Math.max(1, endMs - performance.now());
  const answer = await page
    .goto(request.url, { waitUntil: 'commit', timeout: timeLeft() })
    .then(documentAnswer)
    .catch((error: unknown) => {
      // A download is an answer too, although no page comes of it.
      const seen = proxied.find(({ answer }) => answer !== undefined)?.answer;
      if (seen) return seen;
      throw error;
    });
  const isDone = () => request.isDone?.(watch) ?? false;
  // What never ends loading is looked at as far as it came.
  await page.waitForLoadState('load', { timeout: timeLeft() }).catch(() => {});
  await settle(timeLeft(), isDone);
  if (!isDone()) await followRefresh(page, answer.headers, timeLeft());
  const unpressed = request.presses ? await pressOnPage(page, watch.sinkCalls, timeLeft, { settle, mayAsk }) : 0;
  for (const selector of request.clicks ?? []) {
    if (isDone()) break;
    await click(page, selector, timeLeft);
    await settle(timeLeft(), isDone);
  }
  if (request.isShown) await untilShown(page, request.isShown, timeLeft());
  return { ...answer, unpressed };
}

/** Script of a large application, on a busy machine, takes this long to make its page. */
const showingMs = 5_000;
const showingPollMs = 200;

async function untilShown(page: Page, isShown: (html: string) => boolean, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + Math.min(showingMs, timeoutMs);
  const left = () => sleep(Math.max(0, endMs - performance.now()), '', { ref: false });
  // A page that is caught in a loop does not answer.
  while (!isShown(await Promise.race([page.content().catch(() => ''), left()])) && performance.now() < endMs)
    await sleep(showingPollMs);
}

async function click(page: Page, selector: string, timeLeft: () => number): Promise<void> {
  try {
    await page.waitForSelector(selector, { state: 'attached', timeout: Math.min(appearMs, timeLeft()) });
    await page.click(selector, { timeout: Math.min(clickMs, timeLeft()), noWaitAfter: true });
  } catch {
    // What cannot be clicked is left.
  }
}

async function documentAnswer(response: Response | null): Promise<DocumentAnswer> {
  if (!response) return { status: 0, headers: [] };
  const headers = await response.headersArray();
  return { status: response.status(), headers: headers.map(({ name, value }): [string, string] => [name, value]) };
}

function toResult(
  watch: Watch,
  { left, unreadable, ...state }: PageState,
  answer: Driven,
  cookies: Awaited<ReturnType<BrowserContext['cookies']>>,
): Omit<BrowserResult, 'libraries' | 'prototype' | 'cookiesSent'> {
  const { dialogs, console, requests, cspViolations, mixedContent, sinkCalls } = watch;
  const unread = {
    ...watch.unread,
    parts: watch.unread.parts + left,
    ...(unreadable === undefined ? {} : { why: unreadable.slice(0, maxReasonLength) }),
  };
  return { ...answer, ...state, dialogs, console, requests, cspViolations, mixedContent, sinkCalls, unread, cookies };
}

const allCookiesSent = (proxied: readonly Proxied[]): string[] =>
  proxied.flatMap(({ url, cookies = [] }) => cookies.map((name) => `${new URL(url).href} ${name}`));

/** Puts a session's cookies into a context; those that the browser does not take are left out. */
export async function addCookies(context: BrowserContext, jar: CookieJar): Promise<void> {
  for (const cookie of jar.all()) {
    const { name, value, path, secure, httpOnly } = cookie;
    const domain = cookie.hostOnly ? cookie.domain : `.${cookie.domain}`;
    const sameSite = sameSites[cookie.sameSite?.toLowerCase() ?? ''];
    const partition = cookie.partitioned ? partitionOf(cookie.domain) : {};
    await context
      .addCookies([{ name, value, path, secure, httpOnly, domain, ...(sameSite ? { sameSite } : {}), ...partition }])
      .catch(() => {});
  }
}

/**
 * The part of the store that a site's own pages use. Playwright takes a cookie for one that was set in a foreign frame
 * unless its own field says otherwise. Partitioned cookies are Secure. Source: CHIPS, W3C Privacy CG.
 */
const partitionOf = (domain: string) => ({
  partitionKey: `https://${getDomain(domain, { allowPrivateDomains: true }) ?? domain}`,
  _crHasCrossSiteAncestor: false,
});

const sameSites: Record<string, 'Strict' | 'Lax' | 'None'> = { strict: 'Strict', lax: 'Lax', none: 'None' };
