import type { PageSurface, Surface } from '../../model/surface.ts';
import { siteRoots } from './folders.ts';

/** Script files of the site itself that were seen or are named by a page. Scripts of other hosts are out of scope. */
export function ownScripts(surface: Surface): string[] {
  const seen = surface.pages
    .filter(({ status, contentType }) => status === 200 && /(?:java|ecma)script/.test(contentType))
    .map(({ url }) => url);
  const named = surface.pages.flatMap(scriptFiles);
  const roots = siteRoots(surface);
  return [...new Set([...seen, ...named])].filter((url) => roots.some((root) => url.startsWith(root)));
}

/** The script files of a page. What only other scripts name comes first: it is what one page has and others do not. */
export function scriptFiles({ scripts, loaded = [] }: PageSurface): string[] {
  const named = scripts.flatMap(({ url }) => url ?? []);
  return [...new Set([...loaded.filter((url) => !named.includes(url)), ...named])];
}

/** Of pages with one HTML only the first ones were read; the others are known by what the browser loaded. */
export const runsScript = ({ scripts, loaded = [] }: PageSurface): boolean => scripts.length + loaded.length > 0;

/** Files of libraries that everybody has: what they hold is no secret of the site. */
export const isLibraryFile = (url: string): boolean =>
  /\/(?:node_modules|bower_components|vendors?|libs?|third[-_]?party|wp-includes|wp-content\/plugins)\//i.test(url) ||
  /\/(?:jquery|bootstrap|popper|lodash|underscore|moment|vue|react|angular|backbone|d3|chart|three|swiper|leaflet|axios|alpine|htmx|polyfills?)\b[^/]*\.m?js/i.test(
    url,
  );
