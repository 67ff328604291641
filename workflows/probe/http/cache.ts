import type { Exchange, HttpRequest } from '../../model/http.ts';

/** Answers of an activity to identical safe requests, so that checks which look at the same page share one request. */
type ExchangeCache = {
  /** The kept answer, or that of `send`, which concurrent callers share. */
  get(request: HttpRequest, send: () => Promise<Exchange>): Promise<Exchange>;
};

const maxEntries = 2_000;
const maxBytes = 32 * 1024 * 1024;

export function createCache(): ExchangeCache {
  const entries = new Map<string, { exchange: Promise<Exchange>; bytes: number }>();
  let bytes = 0;

  const drop = (key: string) => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const keep = (key: string, exchange: Exchange) => {
    const entry = entries.get(key);
    if (!entry || !isStable(exchange)) return drop(key);
    entry.bytes = sizeOf(exchange);
    bytes += entry.bytes;
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes && entries.size <= maxEntries) break;
      drop(oldest);
    }
  };

  return {
    get(request, send) {
      const key = keyOf(request);
      if (key === undefined) return send();
      const known = entries.get(key);
      if (known) return known.exchange;
      const exchange = send();
      entries.set(key, { exchange, bytes: 0 });
      exchange.then(
        (answer) => keep(key, answer),
        () => drop(key),
      );
      return exchange;
    },
  };
}

/** Undefined for what must be asked anew: unsafe methods, `fresh`, and sessions, whose cookies live in their jar. */
function keyOf(request: HttpRequest): string | undefined {
  const method = request.method ?? 'GET';
  if (request.fresh || request.jar || request.body !== undefined || (method !== 'GET' && method !== 'HEAD'))
    return undefined;
  return JSON.stringify([
    method,
    request.url,
    request.headers ?? [],
    request.maxRedirects ?? 0,
    request.maxBodyBytes ?? 0,
    request.httpVersion ?? '',
    request.anyAnswer ?? false,
  ]);
}

/** Overload and failures pass, so they are not kept. */
const isStable = (exchange: Exchange) => exchange.status < 500 && exchange.status !== 429;

const sizeOf = (exchange: Exchange): number =>
  exchange.body.length + exchange.redirects.reduce((sum, hop) => sum + hop.body.length, 0);
