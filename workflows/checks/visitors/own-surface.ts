import type { InputSurface, PageSurface, Surface } from '../../model/surface.ts';
import { commandsIn } from '../../probe/gate/urls.ts';
import { valuesOf } from '../../probe/http/exchange.ts';
import { placeOfName } from '../../probe/parameter-names.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { likenessOf } from '../../survey/page-shape.ts';
import { cookieInputs } from '../inputs/cookie-inputs.ts';
import { namedBranches } from './named-branches.ts';

type KnownOfVisitor = {
  /** Inputs of forms on such pages are its own as well: others know them from the way through earlier steps alone. */
  isGuest?: boolean;
  /**
   * Those among the earlier visitors for whom the site is the same but for what is their own: of the programs that work on that, as
   * "/notes/anna/edit" and "/notes/bert/edit", those of the first are looked at.
   */
  users?: readonly Surface[];
};

/** Pages that share so much of how they are built were shown alike. */
const likeness = 0.85;

/**
 * What of a visitor's surface the visitors before were not shown, or not so: pages and inputs of routes that none of them saw, and
 * those whose page answered each of them differently, by status or by how it is built. Forms stay, since they identify inputs.
 */
export function ownSurface(
  surface: Surface,
  earlier: readonly Surface[],
  { isGuest = false, users = [] }: KnownOfVisitor = {},
): Surface {
  const shown = [surface, ...earlier].flatMap(({ pages, inputs }) => [...pages, ...inputs].map(({ url }) => url));
  const openRoute = namedBranches(shown);
  const seen = [...earlier.map((each) => seenBy(each, openRoute)), ...users.map(seenOfOther)];
  const isOwnPage = (page: PageSurface): boolean => seen.every((known) => !known.page(page));
  const { true: own = [], false: known = [] } = Object.groupBy(surface.pages, (page) =>
    isOwnPage(page) ? 'true' : 'false',
  );
  // Where a program shows some pages to this visitor alone, what it reads on the others is known all the same.
  const knownPlaces = new Set(known.map(({ url }) => placeOf(url)));
  const ownPlaces = new Set(own.flatMap(({ url }) => [url, ...(knownPlaces.has(placeOf(url)) ? [] : [placeOf(url)])]));
  const isOfOwnPage = (url: string): boolean => ownPlaces.has(url) || ownPlaces.has(placeOf(url));
  const isOwnInput = (input: InputSurface): boolean =>
    isOfOwnPage(input.url) ||
    (isGuest && input.page !== undefined && isOfOwnPage(input.page.url)) ||
    seen.every((before) => !before.input(input));
  return { ...surface, pages: own, inputs: surface.inputs.filter(isOwnInput) };
}

/**
 * Without cookies as inputs that users before were given: whoever sends one, it is read by the same programs.
 * @param sent names of the cookies that their sessions are
 */
export function withoutCookiesOf(surface: Surface, users: readonly Surface[], sent: readonly string[] = []): Surface {
  const cookies = users.flatMap((each) => [...cookieInputs(each), ...each.inputs.filter(isCookie)]);
  const given = new Set([...cookies.map(({ parameter }) => parameter), ...sent]);
  if (given.size === 0) return surface;
  const inputs = surface.inputs.filter((input) => !(isCookie(input) && given.has(input.parameter)));
  return { ...surface, inputs, heldCookies: [...(surface.heldCookies ?? []), ...given] };
}

const isCookie = ({ in: place }: InputSurface): boolean => place === 'cookie';

type SeenBefore = { page(page: PageSurface): boolean; input(input: InputSurface): boolean };

/** @param openRoute leaves open what a route names of things of one kind */
function seenBy({ pages, inputs }: Surface, openRoute: (route: string) => string): SeenBefore {
  const routeOf = ({ url }: PageSurface) => openRoute(partRoute(url));
  const keyOf = (input: InputSurface) => inputKey({ ...input, route: openRoute(input.route) });
  const addresses = Map.groupBy(pages, ({ url }) => addressOf(url));
  const routes = Map.groupBy(pages, routeOf);
  const keys = new Set(inputs.filter(({ isShut }) => !isShut).map(keyOf));
  return {
    page(page) {
      const same = addresses.get(addressOf(page.url)) ?? routes.get(routeOf(page)) ?? [];
      return same.some((known) => isAlike(known, page));
    },
    input: (input) => keys.has(keyOf(input)),
  };
}

/** The same programs on what is another user's own. */
function seenOfOther({ pages, inputs }: Surface): SeenBefore {
  const shown = new Map<string, PageSurface[]>();
  for (const page of pages)
    for (const program of programsOf(page.url)) shown.set(program, [...(shown.get(program) ?? []), page]);
  const keys = new Set(inputs.flatMap((input) => (input.isShut ? [] : programKeysOf(input))));
  return {
    page: (page) => programsOf(page.url).some((program) => shown.get(program)?.some((known) => isAlike(known, page))),
    input: (input) => programKeysOf(input).some((key) => keys.has(key)),
  };
}

/** A path whose last name is that of a program, with any one of the names before it left open. */
function programsOf(url: string): string[] {
  const names = normaliseRoute(url).split('/');
  if (names.length <= 3 || !/^[^{%]+$/.test(names.at(-1) ?? '')) return [];
  return names.slice(1, -1).map((_, at) => `${names.with(at + 1, '*').join('/')}?${commandsIn(url)}`);
}

function programKeysOf(input: InputSurface): string[] {
  const names = input.others.map(({ name }) => name).sort();
  return programsOf(input.url).map((program) => JSON.stringify([program, inputKey({ ...input, route: '' }), names]));
}

function isAlike(one: PageSurface, other: PageSurface): boolean {
  if (one.status !== other.status || one.contentType !== other.contentType) return false;
  if (placeLedTo(one) !== placeLedTo(other)) return false;
  return one.shape === undefined || other.shape === undefined || likenessOf(one.shape, other.shape) >= likeness;
}

/** Of a redirect: who is not let in is led to the login, and others go on. */
function placeLedTo({ url, headers }: PageSurface): string | undefined {
  const [location] = valuesOf(headers, 'location');
  const target = location === undefined ? null : URL.parse(location, url);
  return target ? target.origin + partRoute(target.href) : undefined;
}

const inputKey = ({ method, url, route, in: place, parameter, sample }: InputSurface): string =>
  JSON.stringify([method, route, commandsIn(url), place, placeOfName(parameter, sample)]);

const addressOf = (url: string): string => url.replace(/[?#].*$/s, '');

/** Where a site has one entry, a parameter names the page. */
const placeOf = (url: string): string => `${addressOf(url)}?${commandsIn(url)}`;
