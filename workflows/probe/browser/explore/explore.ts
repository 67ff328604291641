import { randomUUID } from 'node:crypto';
import type { BrowserContext } from 'playwright-core';
import type { BrowserExploration, Explored } from '../../../model/browser.ts';
import { inTime } from '../../in-time.ts';
import type { Proxied } from '../proxy-parts.ts';
import { watchTraffic } from '../settle.ts';
import { fillStorage } from '../storage.ts';
import { addCookies } from '../visit.ts';
import { addRefused, newWatch, type Watch, watchContext } from '../watch.ts';
import { agentScript } from './agent.ts';
import type { Hold } from './hold.ts';
import { knownCookies } from './known-cookies.ts';
import { isLedBack } from './landing.ts';
import { watchMessages } from './messages.ts';
import { isOfNothing } from './of-nothing.ts';
import { load, openRequests } from './page-session.ts';
import { useAll } from './use-all.ts';

/** A timer that would take longer ends then. */
const timerMs = 250;
const maxScripts = 100;
/** Kept back from the time, to read what came of it. */
const readingMs = 1_500;

/**
 * Loads a page and uses it as a visitor would: every control, and what these create, until a limit is reached. First what only
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
  // What it would send is kept back then.
  watchContext(context, isAllowed, watch, () => hold.back === 'all');
  const messages = await watchMessages(context, watch, isAllowed);
  const settle = watchTraffic(context);
  const loading = new Set<string>();
  context.on('request', (asked) => {
    if (asked.resourceType() === 'script' && loading.size < maxScripts) loading.add(asked.url());
  });
  if (request.jar) await addCookies(context, request.jar);
  if (request.storage) await fillStorage(context, request.storage);
  const name = `agent${randomUUID().replaceAll('-', '')}`;
  await context.addInitScript({ content: agentScript({ name, timerMs }) });
  const page = await context.newPage();
  context.on('page', (opened) => {
    // A window that the page opens: its address is known by then.
    if (opened !== page) opened.close().catch(() => {});
  });
  const session = { page, open: openRequests(context), name, watch, settle, hold, limit, endMs: endMs - readingMs };
  const status = await inTime(load(session, request.url), limit);
  const finalUrl = page.url();
  const scripts = [...loading];
  if (request.jar) hold.known = knownCookies(await inTime(context.cookies(), limit));
  const isKnown = isLedBack(finalUrl, request.url, request.places);
  const used = await inTime(useAll(session, isKnown ? { ...request, maxUses: 0 } : request), limit);
  const cookies = await inTime(context.cookies(), limit);
  addRefused(watch, proxied);
  return {
    ...{
      status,
      finalUrl,
      states: used.states,
      routes: used.routes.filter((route) => !isOfNothing(route)),
      takenForms: used.takenForms,
      unused: isKnown ? 0 : used.unused,
      alike: used.alike,
      led: used.led,
      scripts,
      unreadSockets: messages.unread(),
    },
    requests: watch.requests.flatMap((request, index) => {
      const each = withHeldBody(request, hold);
      // What comes late is that of the last one.
      const control = used.controls.findLast(({ from }) => index >= from);
      if (!control || control.use === 'loads') return each;
      if (control.use !== 'freely' && isOfNothing(request.url)) return [];
      return { ...each, control: control.label, ...(control.use === 'freely' ? {} : { held: control.use }) };
    }),
    unread: { ...watch.unread, states: used.unreadStates, parts: watch.unread.parts + used.unreadParts },
    cookies,
  };
}

/** The browser reports no body that has files in it; what was held back is known to the proxy. */
function withHeldBody(request: Watch['requests'][number], { bodies }: Hold): Watch['requests'][number] {
  if (request.method === 'GET' || request.body !== undefined) return request;
  const kept = bodies.find(({ method, url }) => method === request.method && url === request.url);
  return kept ? { ...request, body: kept.body } : request;
}
