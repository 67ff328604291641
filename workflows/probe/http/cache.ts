import { LRUCache } from 'lru-cache';
import type { Exchange, HttpRequest } from '../../model/http.ts';

/** Answers of an activity to identical safe requests, so that checks which look at the same page share one request. */
type ExchangeCache = {
  /** The kept answer, or that of `send`, which concurrent callers share. */
  get(request: HttpRequest, send: () => Promise<Exchange>): Promise<Exchange>;
};

const maxEntries = 2_000;
const maxBytes = 32 * 1024 * 1024;

export function createCache(): ExchangeCache {
  const pending = new Map<string, Promise<Exchange>>();
  const kept = new LRUCache<string, Promise<Exchange>>({ max: maxEntries, maxSize: maxBytes });
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
          if (isStable(answer)) kept.set(key, exchange, { size: sizeOf(answer) });
        },
        () => pending.delete(key),
      );
      return exchange;
    },
  };
}

/** Undefined for what must be asked anew: unsafe methods, `fresh`, and sessions, unless whoever asks says that it need not be. */
function keyOf(request: HttpRequest): string | undefined {
  const method = request.method ?? 'GET';
  const isSession = request.jar !== undefined && !request.mayBeKept;
  if (request.fresh || isSession || request.body !== undefined || (method !== 'GET' && method !== 'HEAD'))
    return undefined;
  return JSON.stringify([
    method,
    request.url,
    request.headers ?? [],
    request.jar?.header(request.url) ?? '',
    request.maxRedirects ?? 0,
    request.maxBodyBytes ?? 0,
    request.httpVersion ?? '',
    request.anyAnswer ?? false,
  ]);
}

/** Overload and failures pass, so they are not kept. */
const isStable = (exchange: Exchange) => exchange.status < 500 && exchange.status !== 429;

/** Bytes that are kept; an answer without a body counts, too. */
const sizeOf = (exchange: Exchange): number =>
  1 + exchange.body.length + exchange.redirects.reduce((sum, hop) => sum + hop.body.length, 0);
