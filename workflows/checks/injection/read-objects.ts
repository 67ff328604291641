import { parseJson } from '../../model/json.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import { visibleText } from '../../probe/html/text.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { inBase64 } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { isOtherThan } from '../decisions/answer-kinds.ts';
import { likeliest } from '../inputs/at-most.ts';
import { serializedForm } from '../inputs/serialized-text.ts';
import { askerOf } from './sql-decision.ts';

const maxPages = 4;
/** Pages that are looked through for what the object holds: most were answered before. */
const maxShowing = 40;
/** Names of members stand in many pages, values of two of them together in few. */
const fewestWords = 2;

/**
 * Cookies that hold an object, as inputs of the page that reads them: that shows something else without the object or with other values in it, of the one that gave
 * it and one of each other route, those first that show what the object holds. Where no page shows something else, one that cannot read
 * the object may take what it had before for it: then the page that shows most of the object. Others stay as they are.
 * @throws ProbeError
 */
export async function readObjects(context: CheckContext, inputs: readonly InputSurface[]): Promise<InputSurface[]> {
  const read: InputSurface[] = [];
  for (const input of inputs) read.push(isOfAnyPage(input) ? await asRead(context, input) : input);
  return read;
}

/** What a form is posted with is read where that goes, and nowhere else. */
const isOfAnyPage = ({ in: place, method, sample }: InputSurface): boolean =>
  place === 'cookie' && method === 'GET' && serializedForm(sample) !== undefined;

async function asRead(context: CheckContext, input: InputSurface): Promise<InputSurface> {
  const others = context.surface.pages.filter(
    ({ status, contentType }) => status === 200 && /html|json/.test(contentType),
  );
  const urls = new Map([input.url, ...others.map(({ url }) => url)].toReversed().map((url) => [partRoute(url), url]));
  if (urls.size === 1) return input;
  const pages = await byWordsShown(context, [...urls.values()].toReversed(), wordsOf(input.sample));
  const tried = pages.map(({ url }) => url);
  const changed = changedObject(input.sample);
  for (const url of likeliest(context, tried, maxPages, 'pages that may read a cookie')) {
    const ask = askerOf(context, { ...input, url });
    const [one, other] = [await ask('‹nonce›'), await ask('‹nonce›')];
    const own = await ask(input.sample);
    if (isOtherThan([one, other])?.(own)) return { ...input, url };
    if (changed !== undefined && isOtherThan([own, await ask(input.sample)])?.(await ask(changed)))
      return { ...input, url };
  }
  const [first] = pages;
  return first && first.shown >= fewestWords ? { ...input, url: first.url } : input;
}

type ShowingPage = { url: string; shown: number };

/** Those first that show most of the words. */
async function byWordsShown(
  { http }: Pick<CheckContext, 'http'>,
  urls: readonly string[],
  words: readonly string[],
): Promise<ShowingPage[]> {
  const pages: ShowingPage[] = [];
  for (const [index, url] of urls.entries()) {
    const isLooked = words.length >= fewestWords && index < maxShowing;
    const text = isLooked ? await textOf({ http }, url) : '';
    pages.push({ url, shown: words.filter((word) => text.includes(word)).length });
  }
  return pages.toSorted((a, b) => b.shown - a.shown);
}

async function textOf({ http }: Pick<CheckContext, 'http'>, url: string): Promise<string> {
  try {
    return visibleText((await http.get(url)).text).toLowerCase();
  } catch (error) {
    if (error instanceof ProbeError && error.code === 'refused') return '';
    throw error;
  }
}

/** The same object of JSON with other values; undefined for what is none. */
function changedObject(sample: string): string | undefined {
  const isEncoded = serializedForm(sample) === 'base64';
  const object = parseJson(isEncoded ? Buffer.from(sample, 'base64').toString() : sample);
  if (typeof object !== 'object' || object === null) return undefined;
  const text = JSON.stringify(object, (_name, value: unknown) => {
    if (typeof value === 'number') return value + 1;
    if (typeof value === 'boolean') return !value;
    return typeof value === 'string' ? `${value}‹int›` : value;
  });
  return isEncoded ? inBase64(text) : text;
}

/** What the object holds in letters: names and values. */
function wordsOf(sample: string): string[] {
  const text = serializedForm(sample) === 'base64' ? Buffer.from(sample, 'base64').toString('latin1') : sample;
  return [...new Set(text.toLowerCase().match(/[a-z]{4,20}/g))];
}
