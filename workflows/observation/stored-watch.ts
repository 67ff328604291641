import { LRUCache } from 'lru-cache';
import type { Exchange, HttpProbe, HttpRequest } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { PageSurface } from '../model/surface.ts';
import { formKey, parameterKey, sessionParameterKey, shapeOfRequest } from '../probe/gate/form-key.ts';
import { partRoute } from '../probe/program-parts.ts';
import { namesWhatWasMade } from './direct-answer.ts';

/** A request that was taken for one that only reads, and the page that shows what it has stored. */
export type StoredRequest = { key: string; method: string; url: string; body: string; place: string };

/** A word as it was sent, with all others of its request. */
type SentWords = Omit<StoredRequest, 'place'> & {
  words: ReadonlySet<string>;
  /** Of a parameter that was sent with a session: the key of what that keeps, and where its answers have shown it since. */
  session?: { key: string; route: string; places: Set<string> };
};

type StoredWatch = {
  /** The HTTP instrument, with an eye on what its answers show. */
  http: HttpProbe;
  /**
   * Reads some pages of the routes whose parameters were given values since the last time: others may show what is stored than those
   * that a check asks for.
   * @returns how many such pages were not read
   * @throws ProbeError `canceled`
   */
  lookAgain(pages: readonly PageSurface[]): Promise<number>;
};

/** Words of ours that are remembered, those sent or seen last: what is stored turns up soon. */
const maxWords = 5_000;
/** As `makeNonce` makes nearly all, with a digit, and `canaryAt`, without a vowel, so that no word of a language is one. */
const wordOf = /(?<![a-z0-9])(?:(?=[a-z0-9]*\d)[a-z][a-z0-9]{9}|w[b-df-hj-np-t]{11})(?![a-z0-9])/g;
/** One that all checks share may be there from before. */
const sharedWord = /^w[b-df-hj-np-t]{11}$/;
const parameterBefore = /[?&][\w.[\]%-]+=[^&\s<>]*$/;
const maxAddressLength = 300;
/** Pages that are read again. */
const maxPages = 12;

/**
 * Looks for what was sent in a body, or in a parameter of an address, in every answer to a request that does not carry it, so that
 * what turns out to write later can be stopped at once. A word that went to several places identifies none of them. An answer that names
 * what was made of a body says so by itself.
 */
export function watchStored(http: HttpProbe, onStored: (stored: StoredRequest) => void): StoredWatch {
  const sentWith = new LRUCache<string, SentWords | 'several'>({ max: maxWords });
  /** Words of the site that have the form of ours: a password in a comment, which a check then sends. */
  const ofSite = new LRUCache<string, true>({ max: maxWords });
  const routes = new Set<string>();

  const remember = (sent: SentWords, words: Iterable<string>) => {
    for (const word of words) {
      if (ofSite.has(word)) continue;
      const before = sentWith.get(word);
      const isOnly = before === undefined || (before !== 'several' && before.key === sent.key);
      sentWith.set(word, isOnly ? sent : 'several');
    }
  };
  const rememberAll = (request: HttpRequest, words: ReadonlySet<string>) => {
    const { method = 'GET', url, headers = [], body } = request;
    if (method === 'POST' && body !== undefined) {
      const text = textOf(body);
      const key = formKey(shapeOfRequest({ method, url, headers, body: text }));
      remember({ key, method, url, body: text, words }, words);
    }
    if (method === 'GET' && words.size > 0)
      for (const [name, value] of new URL(url).searchParams)
        if (wordsOf(value).length > 0) {
          const [key, route] = [parameterKey(url, name), partRoute(url)];
          const places = new Set<string>();
          const session = isOfSession(request)
            ? { session: { key: sessionParameterKey(url, name), route, places } }
            : {};
          remember({ key, method, url, body: '', words, ...session }, wordsOf(value));
          routes.add(route);
        }
  };
  const lookIn = (exchange: Exchange, words: ReadonlySet<string>) => {
    const { request, text, redirects } = exchange;
    for (const { 0: word, index } of text.matchAll(wordOf)) {
      const sent = words.has(word) ? undefined : sentWith.get(word);
      if (!words.has(word) && !sentWith.has(word) && !sharedWord.test(word)) ofSite.set(word, true);
      if (redirects.length > 0) continue;
      if (sent === undefined || sent === 'several') continue;
      const { method, url, body } = sent;
      const key = method === 'GET' ? keyOfKept(exchange, sent, words) : sent.key;
      if (key === undefined) continue;
      if (method === 'GET' && isInAddress(text.slice(Math.max(0, index - maxAddressLength), index))) continue;
      if (sent.session?.key === key && !isLasting(sent.session.places.add(request.url))) continue;
      onStored({ key, method, url, body, place: request.url });
    }
  };
  const lookAtDirect = (request: HttpRequest, words: ReadonlySet<string>, answer: Exchange) => {
    const { method = 'GET', url, headers = [], body } = request;
    if (method === 'GET' || body === undefined || words.size === 0) return;
    const text = textOf(body);
    if (!namesWhatWasMade(answer, { url, body: text, words: [...words] })) return;
    const key = formKey(shapeOfRequest({ method, url, headers, body: text }));
    onStored({ key, method, url, body: text, place: url });
  };
  const send = async (request: HttpRequest): Promise<Exchange> => {
    const words = wordsIn(request);
    rememberAll(request, words);
    const answer = await http.send(request);
    lookIn(answer, words);
    lookAtDirect(request, words, answer);
    return answer;
  };
  const get: HttpProbe['get'] = (url, options) => send({ ...options, url });
  return {
    http: { newJar: http.newJar, send, get },
    async lookAgain(pages) {
      const wanted = pagesToRead(pages, routes);
      routes.clear();
      for (const url of wanted.slice(0, maxPages)) await get(url, { fresh: true }).catch(unlessCanceled);
      return Math.max(0, wanted.length - maxPages);
    },
  };
}

/** Where what was sent to these routes would show: first as the site asks for a list, without a value, and without parameters. */
function pagesToRead(pages: readonly PageSurface[], routes: ReadonlySet<string>): string[] {
  const values = (url: string) => [...new URL(url).searchParams.values()].filter((value) => value !== '').length;
  return pages
    .filter(({ url, status, contentType }) => status === 200 && isText(contentType) && routes.has(partRoute(url)))
    .map(({ url }) => url)
    .toSorted((one, other) => values(one) - values(other) || one.length - other.length);
}

function unlessCanceled(error: unknown): void {
  if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
}

const isText = (contentType: string): boolean => /html|json|xml/i.test(contentType);

/**
 * What an address gave depends on more than its storage: a session remembers it for its next page, a cache gives the page again that it
 * made, a file lists the requests. What other pages of the session go on to show may be in the account.
 */
function keyOfKept(
  { request, header }: Exchange,
  { key, session, words: sent }: SentWords,
  words: ReadonlySet<string>,
): string | undefined {
  if (!isText(header('content-type') ?? '') || [...words].some((word) => sent.has(word))) return undefined;
  if (!isOfSession(request)) return key;
  return session !== undefined && session.route !== partRoute(request.url) ? session.key : undefined;
}

/** A message is shown on one page. */
const isLasting = ({ size }: ReadonlySet<string>): boolean => size > 1;

const isOfSession = ({ headers = [], jar, url }: Pick<HttpRequest, 'headers' | 'jar' | 'url'>): boolean =>
  headers.some(([name]) => /^(?:cookie|authorization)$/i.test(name)) || (jar?.header(url) ?? '') !== '';

/** Whether a text ends in the middle of an address, as in a list of requests. */
const isInAddress = (text: string): boolean =>
  parameterBefore.test(text.replace(/&amp;/g, '&').replace(/&#?\w{1,8};/g, "'"));

const wordsIn = ({ url, body, headers = [] }: HttpRequest): Set<string> =>
  new Set(wordsOf([decoded(url), decoded(textOf(body)), ...headers.map(([, value]) => decoded(value))].join('\n')));

const wordsOf = (text: string): string[] => [...text.matchAll(wordOf)].map(([word]) => word);

const textOf = (body: HttpRequest['body']): string =>
  typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('utf8');

/** Escapes would join with what follows them: "%20" and "abc". */
const decoded = (text: string): string => text.replace(/%[0-9a-f]{2}/gi, ' ');
