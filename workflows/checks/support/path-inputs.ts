import { normaliseRoute } from '../../probe/routes.ts';
import type { InputSurface, Surface } from '../contract.ts';

/** A folder with so many pages may be one route with a name in it; each folder is one input. */
const fewestPages = 3;
const maxFolders = 12;

/** The path below the root of an origin: what is not there is often answered by one handler, which may use the path. */
export const rootPath = (origin: string): InputSurface => pathInput(`${origin}/x`, '/{path}', '');

/**
 * Names in paths that look like any other word, such as that of "/users/v1/ada": the last part of the addresses of pages that stand
 * in one folder. Identifiers, which are known by their looks, are inputs of the surface.
 */
export function namedPaths({ pages }: Pick<Surface, 'pages'>): InputSurface[] {
  const shown = pages.filter(({ url, status }) => status === 200 && isNamed(new URL(url).pathname));
  const folders = Map.groupBy(shown, ({ url }) => new URL(url).origin + folderRoute(url));
  const countOf = (members: readonly { url: string }[]) =>
    new Set(members.map(({ url }) => new URL(url).pathname)).size;
  return [...folders.values()]
    .filter((members) => countOf(members) >= fewestPages)
    .toSorted((a, b) => countOf(b) - countOf(a))
    .slice(0, maxFolders)
    .flatMap(([first]) => {
      if (!first) return [];
      const { origin, pathname } = new URL(first.url);
      return [pathInput(origin + pathname, `${folderRoute(first.url)}/{name}`, nameOf(pathname))];
    });
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
