import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface, PageSurface, Surface } from '../../model/surface.ts';
import { piecesOf } from '../../probe/html/page-pieces.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction } from './input-request.ts';
import { sendInput } from './open-input.ts';
import { inParallel } from './parallel.ts';

type ReadersContext = Pick<CheckContext, 'allowance' | 'http' | 'nonce' | 'visitor'> & {
  surface: Pick<Surface, 'pages'>;
} & Partial<Pick<CheckContext, 'leave'>>;

const width = 4;
/** Two requests each, for each cookie. */
const maxPages = 12;
const maxReaders = 3;
/** Pages share a frame: so many that do the same with a cookie stand for the others. */
const enoughOfUse = 2;
/** Sites that give more than these mostly give them to measure. */
const maxCookies = 6;

/** By the surface, which all checks of an activity share: each cookie is asked once, whichever checks ask. */
const known = new WeakMap<object, Map<string, Promise<InputSurface[]>>>();

/**
 * Cookies as inputs of the pages that read them: the page that gives one is often another. A page reads a cookie when it answers a value
 * that nobody has otherwise than the site's own; where there is no evidence, when its name is that of the cookie.
 */
export async function cookieReaders(context: ReadersContext, inputs: readonly InputSurface[]): Promise<InputSurface[]> {
  const all = inputs.filter(({ in: place, method }) => place === 'cookie' && method === 'GET');
  const cookies = all.slice(0, maxCookies);
  const count = all.length - cookies.length;
  const text = `cookies were tried on the page that gives them alone: there are more than ${maxCookies}`;
  if (count > 0) context.leave?.({ code: 'alike', count, text });
  const asked = known.get(context.surface) ?? new Map<string, Promise<InputSurface[]>>();
  known.set(context.surface, asked);
  const found = await inParallel(cookies, width, (input) => {
    const key = JSON.stringify([input.url, input.parameter, context.visitor]);
    const before = asked.get(key);
    if (before) return before;
    if (context.allowance() <= 0) return Promise.resolve([]);
    const looked = readersOf(context, input);
    asked.set(key, looked);
    // Failures pass, so they are not kept.
    looked.catch(() => asked.delete(key));
    return looked;
  });
  return found.flatMap((each) => each ?? []);
}

async function readersOf(context: ReadersContext, input: InputSurface): Promise<InputSurface[]> {
  const readers: InputSurface[] = [];
  const called: InputSurface[] = [];
  const byGiver = await useOf(context, input);
  const times = new Map([[byGiver, 1]]);
  for (const { url } of pagesFor(context, input)) {
    if (readers.length >= maxReaders || context.allowance() <= 0) break;
    const place = { ...input, url };
    const use = await useOf(context, place);
    const count = times.get(use) ?? 0;
    if (use === undefined) called.push(...(isCalledAs(url, input) ? [place] : []));
    else if (count < enoughOfUse) readers.push(place);
    times.set(use, count + 1);
  }
  return readers.length > 0 || byGiver !== undefined ? readers : called.slice(0, 1);
}

/** One page of each route: those first that are called as the cookie is, then those whose addresses begin as that of the page that gives it. */
function pagesFor({ surface, leave }: ReadersContext, input: InputSurface): PageSurface[] {
  const { origin } = new URL(input.url);
  const isOther = ({ url, status }: PageSurface) =>
    status === 200 && url !== input.url && URL.parse(url)?.origin === origin;
  const routes = new Map(
    surface.pages
      .filter(isOther)
      .toReversed()
      .map((page) => [partRoute(page.url), page]),
  );
  const pages = [...routes.values()]
    .toReversed()
    .toSorted(
      (a, b) =>
        Number(isCalledAs(b.url, input)) - Number(isCalledAs(a.url, input)) ||
        sharedWith(b.url, input.url) - sharedWith(a.url, input.url),
    );
  const count = pages.length - maxPages;
  const text = `whether pages read the cookie ${input.parameter} was asked of ${maxPages}, and not of ${count} more`;
  if (count > 0) leave?.({ code: 'alike', count, text });
  return pages.slice(0, maxPages);
}

/** Of two addresses, the length of what both begin with. */
function sharedWith(one: string, other: string): number {
  const end = [...one].findIndex((sign, index) => sign !== other[index]);
  return end < 0 ? one.length : end;
}

const isCalledAs = (url: string, { parameter }: InputSurface): boolean =>
  parameter.length > 2 && new URL(url).pathname.toLowerCase().includes(parameter.toLowerCase());

/** What a page does with the cookie: what a value that nobody has changes in it. Undefined where it changes nothing. */
async function useOf(context: ReadersContext, input: InputSurface): Promise<string | undefined> {
  const word = context.nonce();
  const ask = (value: string, fresh: boolean) =>
    sendInput(context, input, inputAction(input, value), newTrialValues(context.nonce), { fresh });
  try {
    const [own, other] = [await ask(input.sample, false), await ask(word, false)];
    // A page that changes with each request gives no evidence.
    if (seen(own) === seen(other) || seen(own) !== seen(await ask(input.sample, true))) return undefined;
    const only = (one: Exchange, another: Exchange) =>
      piecesOf(one.text).filter((piece) => !another.text.includes(piece));
    const [added, taken] = [only(other, own).map((piece) => piece.replaceAll(word, '')), only(own, other)];
    return added.length + taken.length === 0 ? input.url : JSON.stringify([own.status, other.status, added, taken]);
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return undefined;
  }
}

const seen = ({ status, text }: Exchange): string => JSON.stringify([status, text]);
