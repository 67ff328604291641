import type { Exchange } from '../../model/http.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface, PageSurface, Surface } from '../../model/surface.ts';
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
  for (const { url } of pagesFor(context, input)) {
    if (readers.length >= maxReaders || context.allowance() <= 0) break;
    const place = { ...input, url };
    if (await isRead(context, place)) readers.push(place);
    else if (isCalledAs(url, input)) called.push(place);
  }
  return readers.length > 0 ? readers : called.slice(0, 1);
}

/** One page of each route, those first that are called as the cookie is. */
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
    .toSorted((a, b) => Number(isCalledAs(b.url, input)) - Number(isCalledAs(a.url, input)));
  const count = pages.length - maxPages;
  const text = `whether pages read the cookie ${input.parameter} was asked of ${maxPages}, and not of ${count} more`;
  if (count > 0) leave?.({ code: 'alike', count, text });
  return pages.slice(0, maxPages);
}

const isCalledAs = (url: string, { parameter }: InputSurface): boolean =>
  parameter.length > 2 && new URL(url).pathname.toLowerCase().includes(parameter.toLowerCase());

async function isRead(context: ReadersContext, input: InputSurface): Promise<boolean> {
  const word = context.nonce();
  const ask = async (value: string, fresh: boolean) =>
    seen(await sendInput(context, input, inputAction(input, value), newTrialValues(context.nonce), { fresh }));
  try {
    const [own, other] = [await ask(input.sample, false), await ask(word, false)];
    // A page that changes with each request gives no evidence.
    return own !== other && own === (await ask(input.sample, true));
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    return false;
  }
}

const seen = ({ status, text }: Exchange): string => JSON.stringify([status, text]);
