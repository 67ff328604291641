import { formKey, shapeOfRequest } from '../probe/gate/form-key.ts';
import type { Exchange, HttpProbe, HttpRequest } from '../probe/types.ts';

/** A request that was taken for one that only reads, and the page that shows what it has stored. */
export type Stored = { key: string; method: string; url: string; body: string; place: string };

/** Words of ours that are remembered, the newest: what is stored turns up soon. */
const maxWords = 5_000;
/** As `makeNonce` makes nearly all: with a digit, so that no word of a language is one. */
const wordOf = /(?<![a-z0-9])(?=[a-z0-9]*\d)[a-z][a-z0-9]{9}(?![a-z0-9])/g;

/**
 * Looks for what was sent in a body in every answer to a request that does not carry it, so that a form can be stopped at once that
 * turns out to write later. A word that went to several forms tells nothing.
 */
export function watchStored(http: HttpProbe, onStored: (stored: Stored) => void): HttpProbe {
  const sentWith = new Map<string, Omit<Stored, 'place'> | undefined>();

  const remember = ({ method = 'GET', url, headers = [], body }: HttpRequest, words: ReadonlySet<string>) => {
    if (method !== 'POST' || body === undefined) return;
    const text = textOf(body);
    const key = formKey(shapeOfRequest({ method, url, headers, body: text }));
    for (const word of words) {
      const isOnly = !sentWith.has(word) || sentWith.get(word)?.key === key;
      sentWith.set(word, isOnly ? { key, method, url, body: text } : undefined);
      const [oldest] = sentWith.keys();
      if (sentWith.size > maxWords && oldest !== undefined) sentWith.delete(oldest);
    }
  };
  const lookIn = ({ request, text, redirects }: Exchange, words: ReadonlySet<string>) => {
    if (sentWith.size === 0 || redirects.length > 0) return;
    for (const [word] of text.matchAll(wordOf)) {
      const sent = words.has(word) ? undefined : sentWith.get(word);
      if (sent !== undefined) onStored({ ...sent, place: request.url });
    }
  };
  const send = async (request: HttpRequest): Promise<Exchange> => {
    const words = wordsIn(request);
    remember(request, words);
    const answer = await http.send(request);
    lookIn(answer, words);
    return answer;
  };
  return { newJar: http.newJar, send, get: (url, options) => send({ ...options, url }) };
}

function wordsIn({ url, body, headers = [] }: HttpRequest): Set<string> {
  const all = [url, textOf(body), ...headers.map(([, value]) => value)].join('\n');
  return new Set([...decoded(all).matchAll(wordOf)].map(([word]) => word));
}

const textOf = (body: HttpRequest['body']): string =>
  typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('utf8');

/** Escapes would join with what follows them: "%20" and "abc". */
const decoded = (text: string): string => text.replace(/%[0-9a-f]{2}/gi, ' ');
