import { formKey, shapeOfRequest } from '../probe/gate/form-key.ts';
import type { Gate } from '../probe/gate/gate.ts';
import type { Exchange, HttpProbe, HttpRequest } from '../probe/types.ts';

/** Words of ours that are remembered, the newest: what is stored turns up soon. */
const maxWords = 5_000;
/** As `makeNonce` makes them: found wherever they stand in a value, and in no other text but by chance. */
const wordOf = /(?<![a-z0-9])(?=[a-z0-9]*\d)[a-z][a-z0-9]{9}(?![a-z0-9])/g;

/**
 * Stops a form at once that turns out to write later: what was sent in a body is looked for in every answer to a request that does
 * not carry it, and its form counts as one that writes from then on. A word that went to several forms tells nothing.
 */
export function watchStored(http: HttpProbe, gate: Pick<Gate, 'observed'>): HttpProbe {
  const formOf = new Map<string, string | undefined>();

  const remember = ({ method = 'GET', url, headers = [], body }: HttpRequest, words: ReadonlySet<string>) => {
    if (method !== 'POST' || body === undefined) return;
    const key = formKey(shapeOfRequest({ method, url, headers, body }));
    for (const word of words) {
      formOf.set(word, !formOf.has(word) || formOf.get(word) === key ? key : undefined);
      const [oldest] = formOf.keys();
      if (formOf.size > maxWords && oldest !== undefined) formOf.delete(oldest);
    }
  };
  const lookIn = ({ text, redirects }: Exchange, words: ReadonlySet<string>) => {
    if (formOf.size === 0 || redirects.length > 0) return;
    for (const [word] of text.matchAll(wordOf)) {
      const key = words.has(word) ? undefined : formOf.get(word);
      if (key !== undefined) gate.observed(key, 'writes');
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
  const text = typeof body === 'string' ? body : body === undefined ? '' : Buffer.from(body).toString('utf8');
  const all = [url, text, ...headers.map(([, value]) => value)].join('\n');
  return new Set([...decoded(all).matchAll(wordOf)].map(([word]) => word));
}

/** Escapes would join with what follows them: "%20" and "abc". */
const decoded = (text: string): string => text.replace(/%[0-9a-f]{2}/gi, ' ');
