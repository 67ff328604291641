import type { Surface } from '../../model/surface.ts';
import { siteRoots } from './folders.ts';

/** Script files of the site itself that were seen or are named by a page. Scripts of other hosts are out of scope. */
export function ownScripts(surface: Surface): string[] {
  const seen = surface.pages
    .filter(({ status, contentType }) => status === 200 && /(?:java|ecma)script/.test(contentType))
    .map(({ url }) => url);
  const named = surface.pages.flatMap(({ scripts }) => scripts.flatMap(({ url }) => url ?? []));
  const roots = siteRoots(surface);
  return [...new Set([...seen, ...named])].filter((url) => roots.some((root) => url.startsWith(root)));
}

/** Files of libraries that everybody has: what they hold is no secret of the site. */
export const isLibraryFile = (url: string): boolean =>
  /\/(?:node_modules|bower_components|vendors?|libs?|third[-_]?party|wp-includes|wp-content\/plugins)\//i.test(url) ||
  /\/(?:jquery|bootstrap|popper|lodash|underscore|moment|vue|react|angular|backbone|d3|chart|three|swiper|leaflet|axios|alpine|htmx|polyfills?)\b[^/]*\.m?js/i.test(
    url,
  );
