import type { Licence } from '../../model/gate.ts';
import type { Exchange, HeaderList, HttpProbe, HttpRequest } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { Budget } from '../budget/budget.ts';
import { type TimeLimit, timeLimit } from '../errors.ts';
import type { Gate } from '../gate/gate.ts';
import { withIdentity } from '../identify.ts';
import type { Scope } from '../scope.ts';
import type { BlockWatch } from './block-watch.ts';
import { readBody } from './body.ts';
import { createCache, type KeptAnswers } from './cache.ts';
import { closedExchange, isClosedUnanswered, type Liveness } from './closed.ts';
import { createJar } from './cookies.ts';
import { locationOf, makeExchange, valuesOf } from './exchange.ts';
import type { Send } from './sender.ts';

type HttpParts = {
  runId: string;
  scope: Scope;
  budget: Budget;
  send: Send;
  blocks: BlockWatch;
  /** Canceled with the activity. */
  signal: AbortSignal;
  /** Sent with a request to this URL, after those that identify the scan. */
  scopeHeadersFor(url: string): HeaderList;
  gate: Pick<Gate, 'noteSession'>;
  isAlive: Liveness;
  /** Of all that this instrument sends. */
  licence?: Licence;
  /** Shared with other instruments; its own by default. */
  kept?: KeptAnswers;
};

const defaultTimeoutMs = 10_000;
const defaultMaxBodyBytes = 2 * 1024 * 1024;

/** The HTTP instrument. Its time limit is for all that the target does, redirects and bodies included. */
export function createHttpProbe(parts: HttpParts): HttpProbe {
  const cache = createCache(defaultMaxBodyBytes, parts.kept);
  const send = (request: HttpRequest) => cache.get(request, () => follow(parts, request));
  return { send, get: (url, options) => send({ ...options, url, method: 'GET' }), newJar: createJar };
}

async function follow(parts: HttpParts, first: HttpRequest): Promise<Exchange> {
  const timeoutMs = Math.min(first.timeoutMs ?? defaultTimeoutMs, Math.max(1, parts.budget.remainingMs()));
  using limit = timeLimit(parts.signal, timeoutMs, first.url.slice(0, 200));
  const redirects: Exchange[] = [];
  let request = first;
  for (;;) {
    const exchange = await pastBlocks(parts, request, limit, redirects).catch((error: unknown) => {
      const last = redirects.at(-1);
      // A redirect that the gate refuses is not followed, as one that leaves the scope is not.
      if (!last || !(error instanceof ProbeError && error.code === 'refused')) throw error;
      return undefined;
    });
    if (!exchange) return unfollowed(redirects);
    const next = redirects.length < (first.maxRedirects ?? 0) ? redirected(request, exchange) : undefined;
    if (!next || !parts.scope.coversUrl(next.url)) return exchange;
    redirects.push(makeExchange({ ...exchange, redirects: [] }));
    request = next;
  }
}

/** The last answer of a chain of redirects, with those before it. */
function unfollowed(redirects: readonly Exchange[]): Exchange {
  const [last, ...earlier] = redirects.toReversed() as [Exchange, ...Exchange[]];
  return makeExchange({ ...last, redirects: earlier.toReversed() });
}

/** An answer of the site itself. A refusal for too many requests is taken at its word: the same request goes once more, later. */
async function pastBlocks(parts: HttpParts, request: HttpRequest, limit: TimeLimit, redirects: Exchange[]) {
  const { method = 'GET', body } = request;
  const isHarmless = ['GET', 'HEAD'].includes(method) && body === undefined;
  const ask = () => exchangeOnce(parts, request, limit, redirects);
  const first = await ask();
  if (request.anyAnswer) return first;
  const exchange = first.status === 429 && isHarmless ? await ask() : first;
  // A page that worked is asked for as any other, whatever this request may do besides.
  const { licence: _, ...plain } = parts;
  await parts.blocks.pass(exchange, request, isHarmless, (worked) => exchangeOnce(plain, worked, limit, []));
  return exchange;
}

async function exchangeOnce(parts: HttpParts, request: HttpRequest, signal: TimeLimit, redirects: Exchange[]) {
  const method = request.method ?? 'GET';
  const headers = withIdentity(withCookies(request), parts.runId, parts.scopeHeadersFor(request.url));
  const startMs = performance.now();
  const sent = { method, url: request.url, headers, body: bodyText(request.body) };
  const incoming = await parts
    .send({
      instrument: 'http',
      method,
      url: request.url,
      headers,
      body: request.body,
      fresh: request.fresh ?? false,
      onlyHttp1: request.httpVersion === '1.1',
      signal,
      clock: signal,
      licence: parts.licence,
    })
    .catch(async (error: unknown) => {
      const elapsedMs = performance.now() - startMs;
      const ownHeaders = withIdentity([], parts.runId, parts.scopeHeadersFor(request.url));
      if (!request.closingIsAnswer || !isClosedUnanswered(error)) throw error;
      if (!(await parts.isAlive(request.url, ownHeaders, signal))) throw error;
      return closedExchange(sent, elapsedMs, [...redirects]);
    });
  if ('request' in incoming) return incoming;
  let complete = false;
  const bodyStartMs = performance.now();
  try {
    const encoding = valuesOf(incoming.headers, 'content-encoding').join(',');
    // An answer to HEAD names the coding of a body that is not there.
    const coding = method === 'HEAD' ? '' : encoding;
    const body = await readBody(incoming.body, coding, request.maxBodyBytes ?? defaultMaxBodyBytes, signal);
    complete = body.complete;
    const setCookies = valuesOf(incoming.headers, 'set-cookie');
    keepCookies(request, setCookies);
    if (parts.licence === 'credentials' && request.body !== undefined)
      parts.gate.noteSession(setCookies.map(valueInCookie), 'user');
    return makeExchange({
      request: sent,
      status: incoming.status,
      httpVersion: incoming.httpVersion,
      headers: incoming.headers,
      body: body.bytes,
      truncated: body.truncated,
      remoteAddress: incoming.remoteAddress,
      elapsedMs: incoming.elapsedMs + performance.now() - bodyStartMs,
      redirects: [...redirects],
    });
  } finally {
    incoming.end(complete);
  }
}

const valueInCookie = (line: string): string => /^[^=;]*=([^;]*)/.exec(line)?.[1]?.trim() ?? '';

function withCookies(request: HttpRequest): HeaderList {
  const cookies = request.jar?.header(request.url) ?? '';
  const headers = request.headers ?? [];
  if (cookies === '') return headers;
  const own = valuesOf(headers, 'cookie');
  const others = headers.filter(([name]) => name.toLowerCase() !== 'cookie');
  // A cookie that the request names itself stands in the place of the session's: with two, servers take one or the other.
  const named = namesIn(own);
  const kept = cookies.split('; ').filter((pair) => !named.has(cookieName(pair)));
  return [...others, ['Cookie', [...kept, ...own].join('; ')]];
}

/** What an answer says of a cookie that the request has made up is about that one, and not about the session's. */
function keepCookies({ jar, url, headers = [] }: HttpRequest, setCookies: readonly string[]): void {
  if (!jar || setCookies.length === 0) return;
  const named = namesIn(valuesOf(headers, 'cookie'));
  const replaced = new Set(named.size === 0 ? [] : jar.all().flatMap(({ name }) => (named.has(name) ? name : [])));
  jar.store(
    url,
    setCookies.filter((line) => !replaced.has(cookieName(line))),
  );
}

const namesIn = (cookieHeaders: readonly string[]): Set<string> =>
  new Set(cookieHeaders.flatMap((value) => value.split(';').map(cookieName)));

const cookieName = (pair: string): string => pair.split('=')[0]?.trim() ?? '';

/** The request that a redirect asks for, as browsers make it. Source: RFC 9110 §15.4, Fetch standard §4.4. */
function redirected(first: HttpRequest, exchange: Exchange): HttpRequest | undefined {
  const location = locationOf(exchange);
  if (![301, 302, 303, 307, 308].includes(exchange.status) || location === undefined) return undefined;
  if (!URL.canParse(location, first.url)) return undefined;
  const url = new URL(location, first.url).href;
  const request = keepsCredentials(first.url, url) ? first : withoutCredentials(first);
  const { body, ...rest } = request;
  const method = request.method ?? 'GET';
  const becomesGet =
    (exchange.status === 303 && method !== 'HEAD') || ([301, 302].includes(exchange.status) && method === 'POST');
  if (!becomesGet) return { ...request, url };
  const headers = (rest.headers ?? []).filter(([name]) => !/^content-/i.test(name));
  return { ...rest, url, method: 'GET', headers };
}

/** Not to another origin; HTTPS of the same host is one that they may go to. */
function keepsCredentials(from: string, to: string): boolean {
  const [here, there] = [new URL(from), new URL(to)];
  const isUpgrade = here.protocol === 'http:' && there.protocol === 'https:' && here.hostname === there.hostname;
  return isUpgrade || here.origin === there.origin;
}

const withoutCredentials = (request: HttpRequest): HttpRequest =>
  request.headers
    ? { ...request, headers: request.headers.filter(([name]) => name.toLowerCase() !== 'authorization') }
    : request;

const bodyText = (body: string | Uint8Array | undefined) =>
  body === undefined ? '' : typeof body === 'string' ? body : new TextDecoder().decode(body);
