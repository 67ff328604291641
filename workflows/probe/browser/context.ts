import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import type { Browser, BrowserContext } from 'playwright-core';
import type { BrowserVisit } from '../../model/browser.ts';
import type { HeaderList } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { probeErrorFrom, timeLimit } from '../errors.ts';
import { valuesOf } from '../http/exchange.ts';
import { inTime } from '../in-time.ts';
import type { Hold } from './explore/hold.ts';
import type { BrowserPool } from './launch.ts';
import type { OwnPage } from './own-page.ts';
import type { BrowserParts } from './parts.ts';
import { startBrowserProxy } from './proxy.ts';
import type { Proxied } from './proxy-parts.ts';
import { keepProxied } from './watch.ts';

const defaultTimeoutMs = 10_000;
/** A browser that needs longer to close a context hangs. */
const closeTimeoutMs = 5_000;
/** One that hangs is killed by then. */
const discardTimeoutMs = 5_000;

/** That a browser is gone is known so soon after what it had under way has failed. */
const endKnownMs = 1_000;

/** A context with its proxy, while it is open. */
type OpenedContext = {
  context: BrowserContext;
  proxied: readonly Proxied[];
  /** Aborted at the latest at `endMs` (of performance.now), and when the process of a page ends. */
  limit: AbortSignal;
  endMs: number;
};

type ContextRequest = Pick<BrowserVisit, 'url' | 'headers' | 'jar' | 'timeoutMs'>;

/** A context of its own: what it asks for, the page of ours that it may show, and the certificate of its proxy. */
export type ContextNeeds = {
  request: ContextRequest;
  page: OwnPage | undefined;
  certificate: SecureContext;
  /** What the proxy keeps back. */
  hold?: Hold;
  /** Called for each context that is being closed: the promise settles when it is closed, and within a time limit in any case. */
  onClosing(closed: Promise<void>): void;
};

/**
 * Opens a context for some work, and closes it with all that it has opened. When the browser itself ends meanwhile, or
 * the page's process in it, the work is done once more, unless it has sent something that may have changed the target.
 * @throws ProbeError
 */
export async function inContext<T>(
  parts: BrowserParts,
  needs: ContextNeeds,
  work: (opened: OpenedContext) => Promise<T>,
): Promise<T> {
  const { request, page } = needs;
  // A page written into its own address is ours as well: opening it sends nothing, and its requests pass the same proxy.
  if (!page && !request.url.startsWith('data:text/html,') && !parts.scope.coversUrl(request.url)) {
    const prefix = parts.scope.excludedBy(request.url);
    if (prefix !== undefined) throw new ProbeError('excluded', `the org excluded ${prefix} from the audit`);
    throw new ProbeError('out_of_scope', `${request.url} is not in scope`);
  }
  for (let isFirst = true; ; isFirst = false) {
    const sent: ContextTraffic = { proxied: [], hasWritten: false };
    const running = await browserOf(parts);
    try {
      return await once(parts, needs, running, sent, work);
    } catch (error) {
      const hasEnded = error instanceof ProbeError && error.code === 'browser_failed';
      if (!isFirst || !hasEnded || sent.hasWritten) throw error;
    }
  }
}

/** What a context has sent so far. */
type ContextTraffic = { proxied: Proxied[]; hasWritten: boolean };

type RunningBrowser = { browser: Browser; pool: BrowserPool };

async function once<T>(
  parts: BrowserParts,
  { request, page, certificate, hold, onClosing }: ContextNeeds,
  running: RunningBrowser,
  sent: ContextTraffic,
  work: (opened: OpenedContext) => Promise<T>,
): Promise<T> {
  const timeoutMs = Math.min(request.timeoutMs ?? defaultTimeoutMs, Math.max(1, parts.budget.remainingMs()));
  using limit = timeLimit(parts.signal, timeoutMs, `the visit of ${request.url.slice(0, 200)}`);
  const endMs = performance.now() + timeoutMs;
  const { proxied } = sent;
  const ended = new AbortController();
  const port = await startBrowserProxy({
    ...parts,
    certificate,
    page,
    ...(hold ? { hold } : {}),
    signal: AbortSignal.any([parts.signal, ended.signal]),
    headersFor: (url) =>
      withExtra(parts.scopeHeadersFor(url), sameOrigin(url, request.url) ? (request.headers ?? []) : []),
    onWrite() {
      sent.hasWritten = true;
    },
    onRequest(seen) {
      keepProxied(proxied, seen);
      // Browsers go by other rules for what sites set in answers to foreign pages, so the session stays as it was.
      if (!page) request.jar?.store(seen.url, valuesOf(seen.answer?.headers ?? [], 'set-cookie'));
    },
  });
  const opening = running.browser.newContext({
    proxy: { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' },
    ignoreHTTPSErrors: true,
    // A worker would outlive its page and answer in the target's place.
    serviceWorkers: 'block',
    acceptDownloads: false,
    locale: 'en-US',
  });
  const crash = new AbortController();
  const end = AbortSignal.any([limit, crash.signal]);
  try {
    const context = await inTime(opening, limit);
    context.on('page', (opened) => opened.on('crash', () => crash.abort(pageEnded())));
    return await inTime(work({ context, proxied, limit: end, endMs }), end);
  } catch (error) {
    throw await asProbeError(error, end, proxied, running);
  } finally {
    ended.abort();
    onClosing(closeContext(running, opening));
  }
}

const pageEnded = () => new ProbeError('browser_failed', "the page's process in the audit's own browser ended");

async function browserOf({ browsers: pool, signal }: BrowserParts): Promise<RunningBrowser> {
  if (!pool) throw new ProbeError('unavailable', 'this worker was started without a browser');
  try {
    return { browser: await inTime(pool.browser(), signal), pool };
  } catch (error) {
    if (signal.aborted) throw probeErrorFrom(error, signal);
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProbeError('unavailable', `no browser can be started here: ${reason}`, { cause: error });
  }
}

/** What the proxy knows about why there was no page says more than the browser's own error. */
async function asProbeError(
  error: unknown,
  limit: AbortSignal,
  proxied: readonly Proxied[],
  running: RunningBrowser,
): Promise<ProbeError> {
  const { browser, pool } = running;
  if (limit.aborted || error instanceof ProbeError) return probeErrorFrom(error, limit);
  if (await isGone(running, error)) {
    const how = (await pool.endOf(browser)) ?? 'nobody knows why';
    return new ProbeError('browser_failed', `the audit's own browser ended during the visit (${how})`, {
      cause: error,
    });
  }
  const [first] = proxied;
  const known = first?.refused ?? first?.failure;
  if (known) return new ProbeError(known.code, known.message, { cause: error });
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ProbeError('timeout', 'the page did not answer in time', { cause: error });
  return new ProbeError('protocol_error', 'the browser could not load the page', { cause: error });
}

/** What was under way in a browser that ends fails before its end is known. */
async function isGone({ browser }: RunningBrowser, error: unknown): Promise<boolean> {
  if (!browser.isConnected()) return true;
  if (!(error instanceof Error) || !/has been closed|crashed/i.test(error.message)) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  browser.once('disconnected', () => resolve(true));
  return (await within(promise, endKnownMs)) ?? false;
}

/** Closes the context, once it is there; a browser that hangs on that is ended as a whole. Always returns soon. */
async function closeContext({ pool, browser }: RunningBrowser, opening: Promise<BrowserContext>): Promise<void> {
  const closed = opening
    .then((context) => context.close())
    .then(
      () => true,
      () => true,
    );
  if (await within(closed, closeTimeoutMs)) return;
  await within(pool.discard(browser), discardTimeoutMs);
}

/** Waits for work, but not for longer than this. @returns undefined when it took longer */
async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  const timer = new AbortController();
  const tooLong = sleep(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    timer.abort();
  }
}

/** A visit's own headers go before those of every request. */
function withExtra(extra: HeaderList, own: HeaderList): HeaderList {
  const given = new Set(own.map(([name]) => name.toLowerCase()));
  return [...extra.filter(([name]) => !given.has(name.toLowerCase())), ...own];
}

function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}
