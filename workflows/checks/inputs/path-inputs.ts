import type { ChoiceSurface, InputSurface, PageSurface, Surface } from '../../model/surface.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import { isAtChoice } from '../../survey/choices.ts';
import { likenessOf } from '../../survey/page-shape.ts';

/** A folder with so many pages may be one route with a name in it; each folder is one input. */
const fewestPages = 3;
/** Of two pages, so much of how they are built is the same. */
const alike = 0.95;

/** The path below the root of an origin: what is not there is often answered by one handler, which may use the path. */
export const rootPath = (origin: string): InputSurface => pathInput(`${origin}/x`, '/{path}', '');

/**
 * The path behind the name of a file that forms are sent to: servers give the rest to the program (PATH_INFO), which may write its own
 * address into the form with it, as `PHP_SELF` is.
 */
export function pathsBehindFiles({ forms }: Pick<Surface, 'forms'>): InputSurface[] {
  const files = new Set(
    forms.flatMap(
      ({ action }) => /^https?:\/\/[^/?#]+\/[^?#]*\.(?:php\d?|phtml|cgi|pl)(?=$|[?#])/i.exec(action)?.[0] ?? [],
    ),
  );
  return [...files].map((url) => pathInput(`${url}/x`, `${normaliseRoute(url)}/{path}`, ''));
}

/**
 * Names in paths that look like any other word: the last part of the addresses of pages that stand in one folder, such as that of
 * "/users/v1/ada", and a part between others that are the same, such as that of "/lists/lamps/2". Identifiers, which are known by their
 * looks, are inputs of the surface.
 */
export function namedPaths({ pages, heldChoices = [] }: Pick<Surface, 'pages' | 'heldChoices'>): InputSurface[] {
  const found = pages.filter(({ status }) => status === 200);
  return free([...lastNames(found), ...middleNames(found)], heldChoices);
}

/** An account would keep what is tried in the place of a choice. */
const free = (inputs: readonly InputSurface[], held: readonly ChoiceSurface[]): InputSurface[] =>
  inputs.filter((input) => !held.some((choice) => isAtChoice(input, choice)));

/**
 * The last part of the address of one page in each folder below the root, for a check that asks a question or two of each: routes
 * and error pages of a folder may repeat what stands there, however few pages it has, and whether what the site links to is there or not.
 */
export const folderPaths = ({ pages, heldChoices = [] }: Pick<Surface, 'pages' | 'heldChoices'>): InputSurface[] =>
  free(
    lastNames(
      [200, 404].flatMap((answered) => pages.filter(({ status }) => status === answered)),
      1,
    ),
    heldChoices,
  );

/**
 * The last part of the address of one page in each folder, file or not, where no other shows that it is a value: a program that answers
 * whatever stands there reads it, which has to be asked.
 */
export function lastParts({ pages, heldChoices = [] }: Pick<Surface, 'pages' | 'heldChoices'>): InputSurface[] {
  const shown = pages.filter(({ status, url }) => status === 200 && /[^/]\/[^/]+$/.test(new URL(url).pathname));
  const folders = Map.groupBy(shown, ({ url }) => new URL(url).origin + folderRoute(url));
  const inputs = [...folders.values()].flatMap(([first]): InputSurface[] => {
    if (!first) return [];
    const { origin, pathname } = new URL(first.url);
    const input = pathInput(origin + pathname, `${folderRoute(first.url)}/{name}`, nameOf(pathname));
    return [{ ...input, isUnasked: true }];
  });
  return free(inputs, heldChoices);
}

function lastNames(pages: readonly PageSurface[], fewest = fewestPages): InputSurface[] {
  const shown = pages.filter(({ url }) => isNamed(new URL(url).pathname));
  const folders = Map.groupBy(shown, ({ url }) => new URL(url).origin + folderRoute(url));
  const countOf = (members: readonly { url: string }[]) =>
    new Set(members.map(({ url }) => new URL(url).pathname)).size;
  return [...folders.values()]
    .filter((members) => countOf(members) >= fewest || areTwins(members))
    .toSorted((a, b) => countOf(b) - countOf(a))
    .flatMap(([first]) => {
      if (!first) return [];
      const { origin, pathname } = new URL(first.url);
      return [pathInput(origin + pathname, `${folderRoute(first.url)}/{name}`, nameOf(pathname))];
    });
}

/** Two pages that are built alike are made by the same code, which may read their names. */
function areTwins(members: readonly PageSurface[]): boolean {
  const [first, second] = Map.groupBy(members, ({ url }) => new URL(url).pathname).values();
  const [one, other] = [first?.[0]?.shape, second?.[0]?.shape];
  return one !== undefined && other !== undefined && likenessOf(one, other) >= alike;
}

/** Words that differ while what stands before and behind them does not; the first part of a path is rarely a value. */
function middleNames(pages: readonly PageSurface[]): InputSurface[] {
  const groups = new Map<string, { names: Set<string>; input: InputSurface }>();
  for (const { url } of pages) {
    const { origin, pathname } = new URL(url);
    const parts = normaliseRoute(url).split('/').slice(1);
    parts.forEach((name, index) => {
      if (index === 0 || index === parts.length - 1 || !/^[a-z][\w~-]*$/i.test(name)) return;
      const route = `/${parts.with(index, '{name}').join('/')}`;
      const input = { ...pathInput(origin + pathname, route, name), parameter: String(index + 1) };
      const group = groups.get(origin + route) ?? { names: new Set<string>(), input };
      groups.set(origin + route, { ...group, names: group.names.add(name) });
    });
  }
  return [...groups.values()].filter(({ names }) => names.size >= fewestPages).map(({ input }) => input);
}

/** Files are no names, and pages at the root are rarely those of one route. */
const isNamed = (pathname: string): boolean => {
  const route = normaliseRoute(pathname);
  return route.split('/').length > 2 && /\/[\w~-]+$/.test(route);
};

const folderRoute = (url: string): string => normaliseRoute(url).replace(/\/[^/]*$/, '');

const nameOf = (pathname: string): string => pathname.replace(/\/$/, '').replace(/^.*\//, '');

const pathInput = (url: string, route: string, sample: string): InputSurface => ({
  method: 'GET',
  url,
  route,
  parameter: String(new URL(url).pathname.split('/').filter((segment) => segment !== '').length),
  in: 'path',
  sample,
  others: [],
});
