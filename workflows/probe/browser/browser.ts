import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Budget } from '../budget/budget.ts';
import { probeErrorFrom, timeLimit } from '../errors.ts';
import type { Gate } from '../gate/gate.ts';
import type { GateRequest, Licence } from '../gate/types.ts';
import type { Guard } from '../guard/guard.ts';
import { valuesOf } from '../http/exchange.ts';
import type { Send } from '../http/sender.ts';
import type { WallWatch } from '../http/wall-watch.ts';
import type { Scope } from '../scope.ts';
import { type HeaderList, ProbeError } from '../types.ts';
import type { BrowserPool } from './launch.ts';
import { isOn, type OwnPage, ownPageOf } from './own-page.ts';
import { type Proxied, startBrowserProxy } from './proxy.ts';
import { makeProxyCertificate } from './proxy-certificate.ts';
import { signIn } from './sign-in.ts';
import type { BrowserProbe, BrowserResult, BrowserSignIn, BrowserVisit, SignedIn } from './types.ts';
import { look } from './visit.ts';
import { keepProxied } from './watch.ts';

export type BrowserParts = {
  runId: string;
  scope: Scope;
  guard: Guard;
  budget: Budget;
  send: Send;
  walls: WallWatch;
  signal: AbortSignal;
  extraHeaders: HeaderList;
  browsers: BrowserPool | undefined;
  gate: Gate;
};

const defaultTimeoutMs = 10_000;
/** Contexts of one activity at the same time: each costs a process of some 100 MB. */
const maxVisits = 2;
/** A browser that needs longer to close a context hangs. */
const closeTimeoutMs = 3_000;

/** The browser instrument: each visit has a context, a profile and a proxy of its own, gone afterwards. */
export function createBrowserProbe(parts: BrowserParts): BrowserProbe {
  let certificate: Promise<SecureContext> | undefined;
  const waiting: (() => void)[] = [];
  let open = 0;
  const inTurn = async <T>(work: (certificate: SecureContext) => Promise<T>): Promise<T> => {
    // One that ends hands its place on, so that nobody who comes later takes it.
    if (open === maxVisits) await new Promise<void>((resolve) => waiting.push(resolve));
    else open += 1;
    try {
      certificate ??= makeProxyCertificate();
      return await work(await certificate);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else open -= 1;
    }
  };
  return {
    unavailable: async () =>
      parts.browsers ? parts.browsers.unavailable() : 'this worker was started without a browser',
    visit: (request) => inTurn((own) => visit(parts, request, own)),
    signIn: (request) => inTurn((own) => visitToSignIn(parts, request, own)),
  };
}

function visit(parts: BrowserParts, request: BrowserVisit, certificate: SecureContext): Promise<BrowserResult> {
  const page = ownPageOf(request, parts.scope);
  const mayAsk = (asked: GateRequest) => isOn(page, asked.url) || parts.gate.decide(asked).allowed;
  const isAllowed = (url: string) => parts.scope.coversUrl(url) || isOn(page, url);
  return inContext(parts, request, page, certificate, async ({ context, proxied, limit, endMs }) => {
    const result = await look(context, isAllowed, request, proxied, limit, endMs, mayAsk);
    if (!isOn(page, result.finalUrl)) parts.walls.passPage(documentOf(result, proxied));
    return result;
  });
}

/** The document that the page ended on: redirects, clicks and scripts may have led away from the first one. */
function documentOf(
  { finalUrl, status, headers, html }: Pick<BrowserResult, 'finalUrl' | 'status' | 'headers' | 'html'>,
  proxied: readonly Proxied[],
) {
  const shown = finalUrl.replace(/#.*$/s, '');
  const last = proxied.findLast(({ url, answer }) => answer && URL.parse(url)?.href === shown)?.answer;
  const answer = last ?? { status, headers };
  const header = (name: string) => valuesOf(answer.headers, name)[0];
  return { url: finalUrl, status: answer.status, header, text: html };
}

const visitToSignIn = (parts: BrowserParts, request: BrowserSignIn, certificate: SecureContext): Promise<SignedIn> =>
  inContext(
    { ...parts, licence: 'credentials' },
    request,
    undefined,
    certificate,
    async ({ context, proxied, limit, endMs }) => {
      const seen = await signIn(context, parts.scope, request, limit, endMs);
      // Script that is answered by a firewall tells its user of wrong credentials, or of nothing.
      if (seen.answer) parts.walls.passLogin({ ...seen.answer, url: seen.answer.request.url });
      parts.walls.passLogin(documentOf({ ...seen, headers: [] }, proxied));
      return seen;
    },
  );

/** A context with its proxy, while it is open. */
type Opened = {
  context: BrowserContext;
  proxied: readonly Proxied[];
  /** Aborted at the latest at `endMs` (of performance.now). */
  limit: AbortSignal;
  endMs: number;
};

/** Opens a context of its own for some work, and closes it with all that it has opened. */
async function inContext<T>(
  parts: BrowserParts & { licence?: Licence },
  request: Pick<BrowserVisit, 'url' | 'headers' | 'jar' | 'timeoutMs'>,
  page: OwnPage | undefined,
  certificate: SecureContext,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  // A page written into its own address is ours as well: opening it sends nothing, and its requests pass the same proxy.
  if (!page && !request.url.startsWith('data:text/html,') && !parts.scope.coversUrl(request.url))
    throw new ProbeError('out_of_scope', `${request.url} is not in scope`);
  const { browser, pool } = await browserOf(parts);
  const timeoutMs = Math.min(request.timeoutMs ?? defaultTimeoutMs, Math.max(1, parts.budget.remainingMs()));
  using limit = timeLimit(parts.signal, timeoutMs, `the visit of ${request.url.slice(0, 200)}`);
  const over = new AbortController();
  const proxied: Proxied[] = [];
  const port = await startBrowserProxy({
    ...parts,
    certificate,
    page,
    signal: AbortSignal.any([parts.signal, over.signal]),
    headersFor: (url) => withExtra(parts.extraHeaders, sameOrigin(url, request.url) ? (request.headers ?? []) : []),
    onRequest(seen) {
      keepProxied(proxied, seen);
      // Browsers go by other rules for what sites set in answers to foreign pages, so the session stays as it was.
      if (!page) request.jar?.store(seen.url, valuesOf(seen.answer?.headers ?? [], 'set-cookie'));
    },
  });
  let context: BrowserContext | undefined;
  try {
    context = await browser.newContext({
      proxy: { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' },
      ignoreHTTPSErrors: true,
      // A worker would outlive its page and answer in the target's place.
      serviceWorkers: 'block',
      acceptDownloads: false,
      locale: 'en-US',
    });
    return await work({ context, proxied, limit, endMs: performance.now() + timeoutMs });
  } catch (error) {
    throw asProbeError(error, limit, proxied);
  } finally {
    over.abort();
    if (context) await closeContext(pool, browser, context);
  }
}

async function browserOf(parts: BrowserParts): Promise<{ browser: Browser; pool: BrowserPool }> {
  const pool = parts.browsers;
  if (!pool) throw new ProbeError('unavailable', 'this worker was started without a browser');
  try {
    return { browser: await pool.browser(), pool };
  } catch (error) {
    throw new ProbeError('unavailable', 'no browser can be started here', { cause: error });
  }
}

/** What the proxy knows about why there was no page says more than the browser's own error. */
function asProbeError(error: unknown, limit: AbortSignal, proxied: readonly Proxied[]): ProbeError {
  if (limit.aborted || error instanceof ProbeError) return probeErrorFrom(error, limit);
  const [first] = proxied;
  const known = first?.refused ?? first?.failure;
  if (known) return new ProbeError(known.code, known.message, { cause: error });
  if (error instanceof Error && error.name === 'TimeoutError')
    return new ProbeError('timeout', 'the page did not answer in time', { cause: error });
  return new ProbeError('protocol_error', 'the browser could not load the page', { cause: error });
}

/** Closes the context; a browser that hangs on that is ended as a whole. */
async function closeContext(pool: BrowserPool, browser: Browser, context: BrowserContext): Promise<void> {
  const closed = context.close().then(
    () => true,
    () => true,
  );
  const timer = new AbortController();
  const tooLong = sleep(closeTimeoutMs, false, { signal: timer.signal }).catch(() => false);
  if (!(await Promise.race([closed, tooLong]))) await pool.discard(browser);
  timer.abort();
}

/** A visit's own headers go before those of every request. */
function withExtra(extra: HeaderList, own: HeaderList): HeaderList {
  const given = new Set(own.map(([name]) => name.toLowerCase()));
  return [...extra.filter(([name]) => !given.has(name.toLowerCase())), ...own];
}

function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;
}
