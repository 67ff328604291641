import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Exchange } from '../../model/http.ts';
import { readTokens } from '../../probe/html/tokens.ts';
import { isHtml } from '../../probe/http/document-type.ts';
import { escapePattern } from '../../proof/pattern.ts';

/** What a page is compared by stands in its first part. */
const maxLength = 32 * 1024;
/** Runs of words that may be missing or new although two pages are alike: a counter, a quote of the day. */
const tolerance = 0.03;
const wordsInRun = 3;

/**
 * Whether an answer is made as the given ones are, which were made for random names: it has what they have in common, and no more
 * of its own than they have. Paths that are repeated, numbers, dates and random values make no difference.
 * @param missing at least one
 */
export function areAlike(exchange: Exchange, missing: readonly Exchange[]): boolean {
  if (missing.some(({ body }) => Buffer.compare(body, exchange.body) === 0)) return true;
  if (!missing.some((page) => isHtml(page) === isHtml(exchange))) return false;
  // A word of the site that is also this name, "admin" for instance, must not make a difference either.
  const names = namesOf(exchange);
  const own = runsOf(exchange, names);
  const [first = new Set<string>(), second = first] = missing.map((page) => runsOf(page, [...namesOf(page), ...names]));
  const common = [...first].filter((run) => second.has(run));
  const either = first.size + second.size - common.length;
  const noise = 1 - share(common.length, either, 1);
  const lacks = share(common.filter((run) => !own.has(run)).length, common.length, 0);
  const adds = share([...own].filter((run) => !first.has(run) && !second.has(run)).length, own.size, 0);
  return lacks <= tolerance + noise && adds <= tolerance + 1.5 * noise;
}

const share = (part: number, whole: number, ofNothing: number): number => (whole === 0 ? ofNothing : part / whole);

/** Where an answer leads, without what it repeats of the request and without what is random. */
export function redirectShape(exchange: Exchange): string {
  const { url } = exchange.request;
  const location = exchange.header('location') ?? '';
  const to = URL.parse(location, url);
  // The site's own name is no part of where it leads: a name that is asked for may be the same.
  const target = to?.origin === new URL(url).origin ? to.href.slice(to.origin.length) : (to?.href ?? location);
  return steadyWords(without(target, namesOf(exchange))).join(' ');
}

/** Every run of some words that follow each other: tags with their classes, and texts. */
function runsOf(exchange: Exchange, names: readonly string[]): Set<string> {
  const text = without(exchange.text.slice(0, maxLength), names);
  const words = isHtml(exchange) ? wordsOfHtml(text) : steadyWords(text);
  return new Set(words.map((_, index) => words.slice(index, index + wordsInRun).join(' ')));
}

function wordsOfHtml(html: string): string[] {
  const words: string[] = [];
  readTokens(html, (token) => {
    if (token.kind === 'text') words.push(...steadyWords(token.text));
    if (token.kind !== 'start') return;
    // Other attributes hold tokens, addresses and times.
    const { name, attributes } = token;
    words.push(`<${name}`, ...steadyWords(`${attributes.get('class') ?? ''} ${attributes.get('name') ?? ''}`));
  });
  return words;
}

/** Words in lower case; numbers, dates and random values are all the same. */
function steadyWords(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}_+=§-]+/gu) ?? [];
  return words.map((word) => (isRandom(word) ? '#' : word.toLowerCase().replace(/\p{N}+/gu, '0')));
}

/** Hexadecimal numbers, identifiers and tokens, and what dates are written with. */
const isRandom = (word: string): boolean =>
  /^[0-9a-f-]{8,}$/i.test(word) ||
  (word.length >= 8 && /\d/.test(word) && /\p{L}/u.test(word)) ||
  (word.length >= 20 && /[a-z]/.test(word) && /[A-Z]/.test(word)) ||
  dateWord.test(word);

const dateWord =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|[ap]m)$/i;

/** What an answer may repeat of its request, the longest first: the URL, its path, the name, the name without its ending. */
function namesOf({ request }: Exchange): string[] {
  const [, path = ''] = /^https?:\/\/[^/?#]+([^#]*)/i.exec(request.url) ?? [];
  const bare = path.replace(/\?.*$/s, '');
  const name = bare.split('/').findLast((segment) => segment !== '') ?? '';
  const stem = name.replace(/^\./, '').replace(/\..*$/s, '');
  const spellings = [request.url, path, bare, name, stem].flatMap((text) => [
    text,
    percentDecodedOrSame(text),
    encodeURIComponent(text),
    escaped(text),
  ]);
  return [...new Set(spellings)]
    .filter((text) => text.replace(/\W/g, '').length >= 3)
    .toSorted((a, b) => b.length - a.length);
}

/** Whatever the case it is repeated in. */
function without(text: string, names: readonly string[]): string {
  return names.length === 0 ? text : text.replace(new RegExp(names.map(escapePattern).join('|'), 'gi'), '§');
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('/', '\\/');
