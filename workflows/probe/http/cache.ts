import { LRUCache } from 'lru-cache';
import type { Exchange, HttpRequest } from '../../model/http.ts';

/** Answers of an activity to identical requests that are safe or repeatable, so that checks which look at the same page share one request. */
type ExchangeCache = {
  /** The kept answer, or that of `send`, which concurrent callers share. An error of the program is asked for twice. */
  get(request: HttpRequest, send: () => Promise<Exchange>): Promise<Exchange>;
};

const maxEntries = 2_000;
const maxBytes = 32 * 1024 * 1024;
/** What a program cannot work with fails each time, and what an overloaded one fails at does not for long. */
const errorMs = 60_000;

export function createCache(): ExchangeCache {
  const pending = new Map<string, Promise<Exchange>>();
  const kept = new LRUCache<string, Promise<Exchange>>({ max: maxEntries, maxSize: maxBytes });
  const failed = new LRUCache<string, true>({ max: maxEntries });
  /** For how long an answer is kept: 0 is without end, and undefined not at all. */
  const keptMs = (key: string, { status }: Exchange): number | undefined => {
    if (isStable(status)) return 0;
    if (status !== 500) return undefined;
    const isRepeated = failed.has(key);
    failed.set(key, true);
    return isRepeated ? errorMs : undefined;
  };
  return {
    get(request, send) {
      const key = keyOf(request);
      if (key === undefined) return send();
      const known = kept.get(key) ?? pending.get(key);
      if (known) return known;
      const exchange = send();
      pending.set(key, exchange);
      exchange.then(
        (answer) => {
          pending.delete(key);
          const ttl = keptMs(key, answer);
          if (ttl !== undefined) kept.set(key, exchange, { size: sizeOf(answer), ttl });
        },
        () => pending.delete(key),
      );
      return exchange;
    },
  };
}

/** Undefined for what must be asked anew: unsafe methods and sessions, unless whoever asks says that they need not be, `fresh`, and what is asked once. */
function keyOf(request: HttpRequest): string | undefined {
  const method = request.method ?? 'GET';
  const isSession = request.jar !== undefined && !request.mayBeKept;
  const isSafe = request.body === undefined && (method === 'GET' || method === 'HEAD');
  if (request.fresh || request.isUnique || isSession || !(isSafe || request.isRepeatable)) return undefined;
  const { body = '', headers = [] } = request;
  const isForm = headers.some((header) => header.join(':') === 'content-type:application/x-www-form-urlencoded');
  const [address = '', query] = request.url.split(/\?(.*)/s);
  return JSON.stringify([
    method,
    address,
    query === undefined ? '' : inOrder(query),
    isForm && typeof body === 'string' ? inOrder(body) : Buffer.from(body).toString('latin1'),
    headers,
    request.jar?.header(request.url) ?? '',
    request.maxRedirects ?? 0,
    request.maxBodyBytes ?? 0,
    request.httpVersion ?? '',
    request.anyAnswer ?? false,
  ]);
}

/** Fields by name: the same ones in another order are the same request, as long as each is there once. */
function inOrder(pairs: string): string {
  const fields = pairs.split('&').map((pair) => [pair.split('=')[0] ?? '', pair] as const);
  if (new Set(fields.map(([name]) => name)).size < fields.length) return pairs;
  return fields
    .map(([, pair]) => pair)
    .sort()
    .join('&');
}

/** Overload and failures pass, so they are not kept; an error of the program (500) is when it is the same again. */
const isStable = (status: number) => status < 500 && status !== 429;

/** Bytes that are kept; an answer without a body counts, too. */
const sizeOf = (exchange: Exchange): number =>
  1 + exchange.body.length + exchange.redirects.reduce((sum, hop) => sum + hop.body.length, 0);
