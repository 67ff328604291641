import { LRUCache } from 'lru-cache';
import type { Exchange, HttpRequest } from '../../model/http.ts';

/** Answers of an activity to identical requests that are safe or repeatable, so that checks which look at the same page share one request. */
type ExchangeCache = {
  /** The kept answer, or that of `send`, which concurrent callers share. An error of the program is asked for twice. */
  get(request: HttpRequest, send: () => Promise<Exchange>): Promise<Exchange>;
};

/** A site of some hundred inputs is sent as many, and each check begins with what others have asked all of them. */
const maxEntries = 12_000;
const maxBytes = 32 * 1024 * 1024;
/** What a program cannot work with fails each time, and what an overloaded one fails at does not for long. */
const errorMs = 60_000;

type Pending = { exchange: Promise<Exchange>; limit: number };
type KeptAnswer = { answer: Exchange; limit: number };

/** @param defaultLimit bytes of a body that are read when a request does not say */
export function createCache(defaultLimit: number): ExchangeCache {
  const pending = new Map<string, Pending>();
  const kept = new LRUCache<string, KeptAnswer>({ max: maxEntries, maxSize: maxBytes });
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
      const limit = request.maxBodyBytes ?? defaultLimit;
      const known = kept.get(key);
      if (known && answers(known, limit)) return Promise.resolve(known.answer);
      const awaited = pending.get(key);
      if (awaited?.limit === limit) return awaited.exchange;
      const exchange = send();
      const own = { exchange, limit };
      pending.set(key, own);
      const settle = () => pending.get(key) === own && pending.delete(key);
      exchange.then((answer) => {
        settle();
        const ttl = keptMs(key, answer);
        if (ttl !== undefined) kept.set(key, { answer, limit }, { size: sizeOf(answer), ttl });
      }, settle);
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
    request.httpVersion ?? '',
    request.anyAnswer ?? false,
  ]);
}

/** What was read within another limit is the same where it is whole, and not more than is wanted. */
const answers = ({ answer, limit }: KeptAnswer, wanted: number): boolean =>
  limit === wanted || [answer, ...answer.redirects].every(({ truncated, body }) => !truncated && body.length <= wanted);

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
