import type { Explored } from '../model/browser.ts';
import type { PageSurface } from '../model/surface.ts';
import type { Scope } from '../probe/scope.ts';
import { kindOfFragment } from './fragment-routes.ts';
import { withoutFragment } from './notes.ts';

const maxHashRoutes = 60;

/**
 * Notes at its page which script files an address has loaded in the browser, and which routes behind "#" it led to: of pages that
 * script draws, their HTML shows neither.
 */
export function noteLoaded(
  pages: readonly PageSurface[],
  { scripts, routes }: Pick<Explored, 'scripts' | 'routes'>,
  url: string,
  scope: Scope,
): void {
  const page = pages.find((known) => known.url === withoutFragment(url));
  if (!page) return;
  const own = scripts.filter((script) => scope.coversUrl(script));
  if (hashRouteIn(url) === undefined) page.loaded = [...new Set([...(page.loaded ?? []), ...own])];
  noteRoute(page, url, own);
  for (const route of routes) if (withoutFragment(route) === page.url) noteRoute(page, route, []);
}

/** One of each route and names of parameters; what it loaded is added when it is opened. */
function noteRoute(page: PageSurface, url: string, loaded: readonly string[]): void {
  const fragment = hashRouteIn(url);
  if (fragment === undefined) return;
  page.hashRoutes ??= [];
  const known = page.hashRoutes.find((route) => kindOfFragment(route.fragment) === kindOfFragment(fragment));
  if (known) known.loaded = [...new Set([...known.loaded, ...loaded])];
  else if (page.hashRoutes.length < maxHashRoutes) page.hashRoutes.push({ fragment, loaded: [...loaded] });
}

/** What stands behind "#" when it is an address to the page's script. */
const hashRouteIn = (url: string): string | undefined => /#(!?\/.*)$/s.exec(url)?.[1];
