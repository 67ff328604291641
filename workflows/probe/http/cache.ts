import { LRUCache } from 'lru-cache';
import type { Exchange, HttpRequest } from '../../model/http.ts';

/** Answers to identical requests that are safe or repeatable, so that checks which look at the same page share one request. */
type ExchangeCache = {
  /** The kept answer, or that of `send`, which concurrent callers share. An error of the program is asked for twice. */
  get(request: HttpRequest, send: () => Promise<Exchange>): Promise<Exchange>;
};

/** A site of some hundred inputs is sent as many, and each check begins with what others have asked all of them. */
const maxEntries = 12_000;
const maxBytes = 32 * 1024 * 1024;
/** What a program cannot work with fails each time, and what an overloaded one fails at does not for long. */
const errorMs = 60_000;

type Pending = { exchange: Promise<Exchange>; limit: number; owner: object };
type KeptAnswer = { answer: Exchange; limit: number };

/** Answers that instruments share, also those of several activities that look at one unchanged site. */
export type KeptAnswers = {
  pending: Map<string, Pending>;
  // Either takes milliseconds to make, and most instruments keep nothing.
  kept?: LRUCache<string, KeptAnswer>;
  failed?: LRUCache<string, true>;
};

export const createKeptAnswers = (): KeptAnswers => ({ pending: new Map() });

/** @param defaultLimit bytes of a body that are read when a request does not say */
export function createCache(defaultLimit: number, shared: KeptAnswers = createKeptAnswers()): ExchangeCache {
  const { pending } = shared;
  const owner = {};
  /** For how long an answer is kept: 0 is without end, and undefined not at all. */
  const keptMs = (key: string, { status }: Exchange): number | undefined => {
    if (isStable(status)) return 0;
    if (status !== 500) return undefined;
    shared.failed ??= new LRUCache({ max: maxEntries });
    const isRepeated = shared.failed.has(key);
    shared.failed.set(key, true);
    return isRepeated ? errorMs : undefined;
  };
  const keep = (key: string, answer: Exchange, limit: number): void => {
    const ttl = keptMs(key, answer);
    if (ttl === undefined) return;
    shared.kept ??= new LRUCache({ max: maxEntries, maxSize: maxBytes });
    shared.kept.set(key, { answer, limit }, { size: sizeOf(answer), ttl });
  };
  return {
    get(request, send) {
      const limit = request.maxBodyBytes ?? defaultLimit;
      if (!mayBeAnswered(request)) {
        const key = isOfNobody(request) ? keyOf(request) : undefined;
        return key === undefined ? send() : keeping(send(), (answer) => keep(key, answer, limit));
      }
      const key = keyOf(request);
      const known = shared.kept?.get(key);
      if (known && answers(known, limit)) return Promise.resolve(known.answer);
      const awaited = pending.get(key);
      // What another activity asks for ends with that one.
      if (awaited?.limit === limit)
        return awaited.owner === owner ? awaited.exchange : awaited.exchange.catch(() => send());
      const exchange = send();
      const own = { exchange, limit, owner };
      pending.set(key, own);
      const settle = () => pending.get(key) === own && pending.delete(key);
      exchange.then((answer) => {
        settle();
        keep(key, answer, limit);
      }, settle);
      return exchange;
    },
  };
}

async function keeping(asked: Promise<Exchange>, keep: (answer: Exchange) => void): Promise<Exchange> {
  const answer = await asked;
  // Behind a redirect a session may have begun.
  if (answer.redirects.length === 0) keep(answer);
  return answer;
}

const isSafe = ({ method = 'GET', body }: HttpRequest): boolean =>
  body === undefined && (method === 'GET' || method === 'HEAD');

/** Not what must be asked anew: unsafe methods and sessions, unless whoever asks says that they need not be, `fresh`, and what is asked once. */
function mayBeAnswered(request: HttpRequest): boolean {
  const isSession = request.jar !== undefined && !request.mayBeKept;
  return !request.fresh && !request.isUnique && !isSession && (isSafe(request) || request.isRepeatable === true);
}

/** A session that has not begun is answered as anybody is. */
const isOfNobody = (request: HttpRequest): boolean =>
  request.jar?.header(request.url) === '' && !request.fresh && !request.isUnique && isSafe(request);

function keyOf(request: HttpRequest): string {
  const { method = 'GET', body = '', headers = [] } = request;
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
