import { LRUCache } from 'lru-cache';
import type { Exchange, HttpProbe, HttpRequest } from '../model/http.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { PageSurface } from '../model/surface.ts';
import { formKey, parameterKey, shapeOfRequest } from '../probe/gate/form-key.ts';
import { normaliseRoute } from '../probe/routes.ts';

/** A request that was taken for one that only reads, and the page that shows what it has stored. */
export type StoredRequest = { key: string; method: string; url: string; body: string; place: string };

/** A word as it was sent, with all others of its request. */
type SentWords = Omit<StoredRequest, 'place'> & { words: ReadonlySet<string> };

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
/** As `makeNonce` makes nearly all, and `canaryAt`: with a digit, so that no word of a language is one. */
const wordOf = /(?<![a-z0-9])(?=[a-z0-9]*\d)(?:[a-z][a-z0-9]{9}|w[0-9a-f]{11})(?![a-z0-9])/g;
const parameterBefore = /[?&][\w.[\]%-]+=[^&\s<>]*$/;
const maxAddressLength = 300;
/** Pages that are read again. */
const maxPages = 12;

/**
 * Looks for what was sent in a body, or in a parameter of an address, in every answer to a request that does not carry it, so that
 * what turns out to write later can be stopped at once. A word that went to several places tells nothing.
 */
export function watchStored(http: HttpProbe, onStored: (stored: StoredRequest) => void): StoredWatch {
  const sentWith = new LRUCache<string, SentWords | 'several'>({ max: maxWords });
  const routes = new Set<string>();

  const remember = (sent: SentWords, words: Iterable<string>) => {
    for (const word of words) {
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
          remember({ key: parameterKey(url, name), method, url, body: '', words }, wordsOf(value));
          routes.add(normaliseRoute(url));
        }
  };
  const lookIn = (exchange: Exchange, words: ReadonlySet<string>) => {
    const { request, text, redirects } = exchange;
    if (sentWith.size === 0 || redirects.length > 0) return;
    for (const { 0: word, index } of text.matchAll(wordOf)) {
      const sent = words.has(word) ? undefined : sentWith.get(word);
      if (
        sent === undefined ||
        sent === 'several' ||
        (sent.method === 'GET' && !isShownToOthers(exchange, sent, words))
      )
        continue;
      if (sent.method === 'GET' && isInAddress(text.slice(Math.max(0, index - maxAddressLength), index))) continue;
      onStored({ key: sent.key, method: sent.method, url: sent.url, body: sent.body, place: request.url });
    }
  };
  const send = async (request: HttpRequest): Promise<Exchange> => {
    const words = wordsIn(request);
    rememberAll(request, words);
    const answer = await http.send(request);
    lookIn(answer, words);
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
    .filter(({ url, status, contentType }) => status === 200 && isText(contentType) && routes.has(normaliseRoute(url)))
    .map(({ url }) => url)
    .toSorted((one, other) => values(one) - values(other) || one.length - other.length);
}

function unlessCanceled(error: unknown): void {
  if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
}

const isText = (contentType: string): boolean => /html|json|xml/i.test(contentType);

/**
 * What an address gave is told by more than its storage: a session remembers it, a cache gives the page again that it made, a file
 * lists the requests.
 */
function isShownToOthers(exchange: Exchange, sent: SentWords, words: ReadonlySet<string>): boolean {
  const hasSession = exchange.request.headers.some(([name]) => /^(?:cookie|authorization)$/i.test(name));
  return (
    !hasSession && isText(exchange.header('content-type') ?? '') && ![...words].some((word) => sent.words.has(word))
  );
}

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
