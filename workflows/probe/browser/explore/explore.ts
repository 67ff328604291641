import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page, Request } from 'playwright-core';
import type { BrowserExploration, Explored } from '../../../model/browser.ts';
import { ProbeError } from '../../../model/probe-error.ts';
import { inTime } from '../../in-time.ts';
import { readState } from '../page-state.ts';
import type { Proxied } from '../proxy-parts.ts';
import { type Settle, watchTraffic } from '../settle.ts';
import { fillStorage } from '../storage.ts';
import { addCookies } from '../visit.ts';
import { addRefused, newWatch, type Watch, watchContext } from '../watch.ts';
import { agentScript } from './agent.ts';
import { collectFrom, cutInPage, fillIn, type Placed, routesOf, useControls } from './agent-calls.ts';
import { takeBatch, type Use, useOf } from './choose.ts';
import type { Hold } from './hold.ts';
import { knownCookies } from './known-cookies.ts';

const defaultUses = 120;
const maxStates = 12;
const maxReloads = 12;
/** A timer that would take longer ends then. */
const timerMs = 250;
/** What a control asks for at once is known by then, and answered by this. */
const askMs = 40;
const answerMs = 500;
/** Kept back from the time, to read what came of it. */
const readingMs = 1_500;

/**
 * Loads a page and uses it as a visitor would: every control, and what these bring forth, as long as there is room. First what only
 * shows something; what sends or acts comes last, when nothing that the page asks for leaves the browser any more.
 * @param hold what the proxy keeps back
 * @throws ProbeError, or what Playwright throws when there is no page to look at
 */
export async function explore(
  context: BrowserContext,
  request: BrowserExploration,
  proxied: readonly Proxied[],
  hold: Hold,
  isAllowed: (url: string) => boolean,
  limit: AbortSignal,
  endMs: number,
): Promise<Explored> {
  const watch = newWatch();
  watchContext(context, isAllowed, watch);
  const settle = watchTraffic(context);
  if (request.jar) await addCookies(context, request.jar);
  if (request.storage) await fillStorage(context, request.storage);
  const name = `agent${randomUUID().replaceAll('-', '')}`;
  await context.addInitScript({ content: agentScript({ name, timerMs }) });
  const page = await context.newPage();
  context.on('page', (opened) => {
    // A window that the page opens: its address is known by then.
    if (opened !== page) opened.close().catch(() => {});
  });
  const session = { page, open: openRequests(context), name, watch, settle, hold, endMs: endMs - readingMs };
  const status = await inTime(load(session, request.url), limit);
  if (request.jar) hold.known = knownCookies(await inTime(context.cookies(), limit));
  const used = await inTime(useAll(session, request), limit);
  if (watch.crashed) throw new ProbeError('browser_failed', "the page's process in the audit's own browser ended");
  const cookies = await inTime(context.cookies(), limit);
  addRefused(watch, proxied);
  return {
    status,
    finalUrl: page.url(),
    ...{ states: used.states, routes: used.routes, unused: used.unused },
    requests: watch.requests.map((each, index) => {
      // What comes late is that of the last one.
      const control = used.controls.findLast(({ from }) => index >= from);
      return control
        ? { ...each, control: control.label, ...(control.use === 'freely' ? {} : { held: control.use }) }
        : each;
    }),
    unread: { ...watch.unread, states: used.unreadStates, parts: watch.unread.parts + used.unreadParts },
    cookies,
  };
}

type ExploredPageSession = {
  page: Page;
  open: ReadonlySet<Request>;
  name: string;
  watch: Watch;
  settle: Settle;
  hold: Hold;
  endMs: number;
};

const timeLeft = ({ endMs }: ExploredPageSession): number => Math.max(1, endMs - performance.now());

function openRequests(context: BrowserContext): ReadonlySet<Request> {
  const open = new Set<Request>();
  context.on('request', (request) => open.add(request));
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
  return open;
}

/** Waits for what a control has asked for, not for what the page asks for besides. */
async function react({ page, open }: ExploredPageSession, before: ReadonlySet<Request>): Promise<void> {
  const endMs = performance.now() + answerMs;
  do await sleep(askMs);
  while ([...open].some((request) => !before.has(request)) && performance.now() < endMs && !page.isClosed());
}

async function load(session: ExploredPageSession, url: string): Promise<number> {
  const { page, settle, hold } = session;
  hold.back = 'nothing';
  const response = await page.goto(url, { waitUntil: 'commit', timeout: timeLeft(session) });
  await page.waitForLoadState('load', { timeout: timeLeft(session) }).catch(() => {});
  await settle(timeLeft(session));
  hold.back = 'navigations';
  return response?.status() ?? 0;
}

/** @property from how many requests there were before it was used */
type Usage = { label: string; from: number; use: Use };
type AllUsed = Pick<Explored, 'states' | 'routes' | 'unused'> & {
  controls: Usage[];
  unreadStates: number;
  unreadParts: number;
};

async function useAll(
  session: ExploredPageSession,
  { url, maxUses = defaultUses }: BrowserExploration,
): Promise<AllUsed> {
  const { page, watch, settle, hold } = session;
  const states = new Set<string>();
  const routes = new Set<string>();
  const done = new Set<string>();
  const controls: Usage[] = [];
  /** What brought a control forth, by the control. */
  const openers = new Map<string, string>();
  let lastUsed: string | undefined;
  let [unused, reloads, unreadStates, unreadParts] = [0, 0, 0, 0];

  const read = async () => {
    const { html, left } = await readState(page);
    // One that changes while it is read is read again.
    if (html !== '') unreadParts = Math.max(unreadParts, left);
    if (states.size < maxStates && html !== '') states.add(html);
    else if (html !== '' && !states.has(html)) unreadStates += 1;
    for (const route of await routesOf(session)) routes.add(route);
  };
  const fill = async () => {
    unused += await fillIn(session);
  };
  const collect = async (): Promise<Placed[]> => {
    const fresh = await collectFrom(session);
    unused += fresh.left;
    const open = fresh.controls.filter(({ signature }) => !done.has(signature));
    for (const { signature } of open)
      if (lastUsed !== undefined && !openers.has(signature)) openers.set(signature, lastUsed);
    return open;
  };
  /** The page was loaded anew: what brought forth controls that are gone now is used once more. */
  const reopen = (lost: readonly Placed[]) => {
    for (const { signature } of lost) {
      const path = new Set<string>();
      for (let at = openers.get(signature); at !== undefined && !path.has(at); at = openers.get(at)) path.add(at);
      for (const opener of path) done.delete(opener);
    }
  };
  /** Uses controls of one frame, up to the first that changes the page. @returns how many */
  const use = async (batch: readonly Placed[], how: Use): Promise<number> => {
    const [first] = batch;
    if (!first) return 0;
    const from = watch.requests.length;
    const before = new Set(session.open);
    const ids = batch.map(({ id }) => id);
    const { count, changed } = (await useControls(session, first.frame, ids)) ?? { count: batch.length, changed: true };
    const used = batch.slice(0, Math.max(1, count));
    for (const { signature } of used) done.add(signature);
    lastUsed = used.at(-1)?.signature;
    if (changed || watch.requests.length > from) await react(session, before);
    const label = used.at(-1)?.label ?? '';
    controls.push({ label, from, use: how });
    return used.length;
  };
  // A router writes the route that it begins with behind the address.
  let home = page.url();
  const isOver = () => done.size >= maxUses || performance.now() >= session.endMs || watch.crashed;

  await read();
  await fill();
  const pending = await collect();
  const held: Placed[] = [];
  while (pending.length > 0 && !isOver()) {
    const batch = takeBatch(pending, held, done);
    if (batch.length === 0) continue;
    const count = await use(batch, 'freely');
    // Those that were not reached come again, behind what is new.
    pending.push(...batch.slice(count).reverse());
    const fresh = await collect();
    if (fresh.length > 0) await fill();
    pending.push(...fresh.reverse());
    if (pageOf(page.url()) !== pageOf(home) || fresh.length > 0) await read();
    if (page.url() !== home && isAway(page.url(), home)) {
      routes.add(page.url());
      if (reloads++ >= maxReloads || isOver()) break;
      await load(session, url).catch(() => {});
      home = page.url();
      lastUsed = undefined;
      reopen(pending);
      pending.splice(0, pending.length, ...(await collect()).reverse());
      held.length = 0;
    }
  }
  unused += pending.filter(({ signature }) => !done.has(signature)).length;
  hold.back = 'all';
  held.push(...(await collect()).filter((control) => useOf(control) !== 'freely'));
  while (held.length > 0 && !isOver()) {
    const [control] = held.splice(0, 1);
    if (!control || done.has(control.signature)) continue;
    await use([control], useOf(control) === 'acts' ? 'acts' : 'sends');
    held.push(...(await collect()));
  }
  unused += held.length;
  // A handler may wait a little before it sends something.
  if (controls.length > 0) await settle(timeLeft(session));
  await read();
  unreadParts += await cutInPage(session);
  return { states: [...states], routes: [...routes], unused, unreadStates, unreadParts, controls };
}

const pageOf = (url: string): string => url.replace(/#.*$/s, '');

/** Another page, or another route behind "#". */
const isAway = (at: string, start: string): boolean =>
  pageOf(at) !== pageOf(start) || /#!?\//.test(at.slice(pageOf(at).length));
