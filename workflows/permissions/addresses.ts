import { addressesIn, readCalls } from '../checks/sessions/objects.ts';
import { isRefusalCode } from '../model/gate.ts';
import type { Surface } from '../model/surface.ts';
import { mayDo } from '../probe/gate/refusal.ts';
import { readAddress } from '../probe/gate/urls.ts';
import { partRoute } from '../probe/program-parts.ts';
import { excludedBy } from '../probe/scope.ts';

/** An address of the permission matrix. */
export type MatrixAddress = {
  url: string;
  route: string;
  /** Names of the visitors whose pages lead there; "" has no login. */
  linkedFor: string[];
  /** Why it is not asked for; undefined when it is. */
  untried?: string;
};

type Choice = {
  addresses: MatrixAddress[];
  /** Those beyond the limit, and those that are not asked for beyond theirs. */
  leftOut: { asked: number; untried: number };
  /** Those that others of their kind stand for. */
  alike: number;
};

/** Pages that are the same but for what they are asked with. */
export const pathOf = (url: string): string => partRoute(url);

export const maxAsked = 150;
const maxUntried = 30;
/** Of one kind of page: one that is for everybody, and some that lead to different people. */
const maxPerShape = 4;
/** A kind of which visitors are shown as many as this is a catalogue: who was led to which one says nothing. */
const catalogueSize = 5;

/** What pages are made of, and files that are for everybody by their purpose. */
const furniture = /^(?:(?:text|application)\/(?:x-)?(?:java|ecma)script|text\/css|(?:image|font|audio|video)\/)/i;
const wellKnown = /^\/(?:robots\.txt|sitemap[^/]*\.xml|favicon\.ico|\.well-known\/.*)$/i;

type VisitorView = { visitor: string; surface: Surface; linked: ReadonlySet<string> };

/**
 * Which addresses to ask for as each visitor: of each kind of page that one of them saw, one for each group of people who are led
 * to it. What may do something when it is asked for, or is excluded, is named and not asked for.
 * @param surfaces by visitor, the anonymous one under ""
 * @param excludedPaths prefixes
 * @param loginPaths paths where the identities log in, which nobody is refused
 */
export function chooseAddresses(
  surfaces: Record<string, Surface>,
  excludedPaths: readonly string[],
  loginPaths: ReadonlySet<string>,
): Choice {
  const views = Object.entries(surfaces).map(([visitor, surface]) => ({
    visitor,
    surface,
    linked: addressesIn(surface),
  }));
  const untried = untriedIn(views, excludedPaths);
  const never = new Set(untried.map(({ url }) => url));
  const seen = seenIn(views).filter(({ url }) => !never.has(url) && !loginPaths.has(pathOf(url)));
  const shapes = Map.groupBy(seen, ({ url }) => shapeOf(url));
  const wanted = [...shapes.values()].flatMap(samples).toSorted((a, b) => interest(a) - interest(b));
  const named = oneOfEachRoute(untried);
  return {
    addresses: [...wanted.slice(0, maxAsked), ...named.slice(0, maxUntried)],
    leftOut: { asked: Math.max(0, wanted.length - maxAsked), untried: Math.max(0, named.length - maxUntried) },
    alike: seen.length - wanted.length,
  };
}

/** Addresses that a visitor fetched and that are there, and that scripts of their pages ask for. */
function seenIn(views: readonly VisitorView[]): MatrixAddress[] {
  const pages = views.flatMap(({ surface }) => surface.pages);
  const asked = views.flatMap(({ surface }) => readCalls(surface));
  const urls = new Set([...pages.filter(isOfInterest), ...asked].map(({ url }) => url));
  return [...urls].map((url) => addressOf(views, url));
}

const addressOf = (views: readonly VisitorView[], url: string): MatrixAddress => ({
  url,
  route: partRoute(url),
  linkedFor: views.filter(({ linked }) => linked.has(url)).map(({ visitor }) => visitor),
});

const isOfInterest = ({ url, status, contentType }: Surface['pages'][number]): boolean =>
  status !== 404 && status !== 410 && !furniture.test(contentType) && !wellKnown.test(new URL(url).pathname);

function untriedIn(views: readonly VisitorView[], excludedPaths: readonly string[]): MatrixAddress[] {
  const reasons = new Map<string, string>();
  const isExcluded = (url: string) => excludedBy(excludedPaths, url) !== undefined;
  for (const { url, code, reason } of views.flatMap(({ surface }) => surface.skipped)) {
    if (isRefusalCode(code)) reasons.set(url, reason);
    else if (isExcluded(url)) reasons.set(url, 'the organisation excluded it');
  }
  for (const { url } of views.flatMap(({ surface }) => surface.pages)) {
    const { acting } = readAddress(url);
    if (acting) reasons.set(url, mayDo(acting.word));
  }
  return [...reasons].map(([url, untried]) => ({ ...addressOf(views, url), untried }));
}

const oneOfEachRoute = (addresses: readonly MatrixAddress[]): MatrixAddress[] => [
  ...new Map(addresses.map((address) => [address.route, address])).values(),
];

/** Route and parameter names: what one piece of code serves. */
function shapeOf(url: string): string {
  const names = [...new URL(url).searchParams.keys()];
  return `${partRoute(url)}?${[...new Set(names)].sort().join('&')}`;
}

/** Of the addresses of one kind, one for each group of people who are led to it. */
function samples(ofShape: readonly MatrixAddress[]): MatrixAddress[] {
  const forEverybody = ofShape.filter(isPublic);
  const [first] = forEverybody;
  if (first && forEverybody.length >= catalogueSize) return [first];
  const others = ofShape.filter((address) => !isPublic(address));
  const groups = Map.groupBy(others, ({ linkedFor: names }) => names.join('\n'));
  return [...(first ? [first] : []), ...[...groups.values()].flatMap((group) => group.slice(0, 1))].slice(
    0,
    maxPerShape,
  );
}

const isPublic = ({ linkedFor: names }: MatrixAddress): boolean => names.includes('');

/** Addresses that links show to some visitors come first, then those without links, then those that everybody is shown. */
const interest = (address: MatrixAddress): number => (isPublic(address) ? 2 : address.linkedFor.length === 0 ? 1 : 0);
