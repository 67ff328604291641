import type { ChoiceSurface, InputSurface } from '../model/surface.ts';
import { baseOf } from '../probe/html/base.ts';
import { resolve } from '../probe/html/links.ts';
import { type HtmlToken, readTokens } from '../probe/html/tokens.ts';
import { normaliseRoute } from '../probe/routes.ts';

type Anchor = { href: string; isMarked: boolean };

const maxAnchors = 500;
/** A page marks the one that holds of each of its choices; who marks more marks what its list shows. */
const maxMarked = 20;
const maxOthers = 30;

const marking = /(?:^|\s)(?:(?:is|btn|nav|tab)[-_])?(?:active|current|selected|checked|chosen)(?=\s|$)/i;
const states = ['aria-current', 'aria-selected', 'aria-pressed', 'aria-checked'];

const isMarked = (attributes: ReadonlyMap<string, string>): boolean =>
  marking.test((attributes.get('class') ?? '').slice(0, 300)) ||
  states.some((name) => /^(?!false$)./i.test(attributes.get(name) ?? ''));

/** Reads the links of a page among which it marks the one that holds, itself or the element around it. */
export function choiceReader() {
  const anchors: Anchor[] = [];
  let isAroundMarked = false;
  return {
    read(token: HtmlToken): void {
      if (token.kind === 'end') isAroundMarked = false;
      if (token.kind !== 'start') return;
      const { name, attributes } = token;
      const href = attributes.get('href');
      if (name !== 'a') isAroundMarked = isMarked(attributes);
      else if (href !== undefined && anchors.length < maxAnchors)
        anchors.push({ href, isMarked: isMarked(attributes) || isAroundMarked });
    },
    choices: (pageUrl: string, base: string): ChoiceSurface[] => choicesOf(anchors, pageUrl, base),
  };
}

type Address = { url: string; pathname: string; parts: ReadonlyMap<string, string>; isMarked: boolean };

/**
 * Of each link that is marked, those that differ from it in one part of the path or one parameter alone, where the page has an address
 * of its own: which of them holds, its address does not say.
 */
function choicesOf(anchors: readonly Anchor[], pageUrl: string, base: string): ChoiceSurface[] {
  if (!anchors.some((anchor) => anchor.isMarked)) return [];
  const { origin } = new URL(pageUrl);
  const own = addressOf(pageUrl, false);
  const links = new Map<string, Address>();
  for (const anchor of anchors) {
    const url = resolve(anchor.href, base);
    if (url === undefined || new URL(url).origin !== origin) continue;
    links.set(url, addressOf(url, anchor.isMarked || links.get(url)?.isMarked === true));
  }
  const all = [...links.values()];
  const marked = all.filter((link) => link.isMarked && !isAtOrAbove(link, own));
  if (marked.length > maxMarked) return [];
  const isOwn = ({ parts, pathname }: Address): boolean => pathname === own.pathname && isSame(parts, own.parts);
  return marked.flatMap((chosen): ChoiceSurface[] => {
    const places = Map.groupBy(all, (link) => differingPart(chosen, link));
    places.delete(undefined);
    return [...places].flatMap(([place = '', others]): ChoiceSurface[] => {
      // A menu may mark the page itself, by an address that stands for whatever holds ("/rated/stored").
      const rest = others.filter((link) => !(link.isMarked && isOwn(link)));
      const values = [chosen, ...rest].map(({ parts }) => parts.get(place) ?? '');
      if (rest.length === 0 || isPaging.test(place) || values.every(isNumber)) return [];
      if (rest.some((link) => link.isMarked || isOwn(link))) return [];
      return [
        {
          ...{ pageUrl, route: routeAt(chosen.url, place), parameter: place, chosen: chosen.url },
          others: rest.map(({ url }) => url).slice(0, maxOthers),
          values: [...new Set(values)].sort().slice(0, maxOthers),
        },
      ];
    });
  });
}

/** Pages of a list are numbered, and are no view of it. */
const isPaging = /^\?(?:p|pg|page|paged|offset|start|from)$/i;
const isNumber = (text: string): boolean => /^\d*$/.test(text);

/** The parts of a path by their numbers from 1, and the parameters behind a "?". */
export function placesOf(url: string): Map<string, string> {
  const { pathname, searchParams } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const named = segments.map((segment, index) => [String(index + 1), segment] as const);
  const parameters = [...searchParams].map(([name, value]) => [`?${name}`, value] as const);
  return new Map([...named, ...parameters]);
}

const addressOf = (url: string, isMarked: boolean): Address => ({
  ...{ url, pathname: new URL(url).pathname, isMarked, parts: placesOf(url) },
});

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([place, value]) => other.get(place) === value);

/** A menu marks the section in which a page is. */
const isAtOrAbove = (link: Address, own: Address): boolean =>
  isSame(link.parts, own.parts) ||
  (link.pathname !== own.pathname && own.pathname.startsWith(`${link.pathname.replace(/\/$/, '')}/`));

/** The one part in which two addresses differ; undefined where they differ in none, in more, or in how many they have. */
function differingPart(one: Address, other: Address): string | undefined {
  if (one.parts.size !== other.parts.size) return undefined;
  let differing: string | undefined;
  for (const [place, value] of one.parts) {
    const otherValue = other.parts.get(place);
    if (otherValue === undefined) return undefined;
    if (otherValue === value) continue;
    if (differing !== undefined) return undefined;
    differing = place;
  }
  return differing;
}

/** The route of an address, up to the part that is chosen where that is one of the path. */
export function routeAt(url: string, place: string): string {
  const route = normaliseRoute(url);
  return place.startsWith('?') ? route : `${upTo(route, Number(place) - 1)}/{name}`;
}

/** Whether an address makes a choice. */
export function isChosenAt(url: string, { route, parameter, values }: ChoiceSurface): boolean {
  const value = placesOf(url).get(parameter);
  return value !== undefined && values.includes(value) && routeAt(url, parameter) === route;
}

/** Whether what is given to an input takes the place of a choice, in whatever stands behind it. */
export function isAtChoice(
  { method, in: place, route, url, parameter }: Pick<InputSurface, 'method' | 'in' | 'route' | 'url' | 'parameter'>,
  choice: Pick<ChoiceSurface, 'route' | 'parameter'>,
): boolean {
  if (method !== 'GET' || (place !== 'path' && place !== 'query')) return false;
  if (place === 'query') return `?${parameter}` === choice.parameter && normaliseRoute(url) === choice.route;
  const before = Number(parameter) - 1;
  return parameter === choice.parameter && upTo(choice.route, before) === upTo(route, before);
}

/** Whether an input is another part of a path in which something is chosen. */
export function isBehindChoice(
  { method, in: place, route, parameter }: Pick<InputSurface, 'method' | 'in' | 'route' | 'parameter'>,
  choice: Pick<ChoiceSurface, 'route' | 'parameter' | 'values'>,
): boolean {
  const at = Number(choice.parameter);
  if (method !== 'GET' || place !== 'path' || Number.isNaN(at) || parameter === choice.parameter) return false;
  const chosen = route.split('/')[at];
  return choice.values.some((value) => value === chosen) && upTo(choice.route, at - 1) === upTo(route, at - 1);
}

/** The first parts of a route. */
const upTo = (route: string, count: number): string =>
  route
    .split('/')
    .slice(0, count + 1)
    .join('/');

/** The choices of a page that was read anew. */
export function choicesIn(html: string, pageUrl: string): ChoiceSurface[] {
  const reader = choiceReader();
  let base = pageUrl;
  readTokens(html, (token) => {
    if (token.kind === 'start' && token.name === 'base') base = baseOf(token.attributes.get('href'), pageUrl);
    reader.read(token);
  });
  return reader.choices(pageUrl, base);
}
