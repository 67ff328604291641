import type { PageSurface, Surface } from '../../model/surface.ts';
import { readTokens } from '../../probe/html/tokens.ts';
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

/** Pages whose HTML has script in it, one of those whose scripts are of the same length. */
export function pagesWithScript({ pages }: Surface): string[] {
  const bySizes = new Map<string, string>();
  for (const { url, status, contentType, scripts } of pages) {
    const sizes = scripts.flatMap(({ url: file, inlineBytes = 0 }) => (file === undefined ? inlineBytes : [])).join();
    if (status === 200 && /html/.test(contentType) && sizes !== '' && !bySizes.has(sizes)) bySizes.set(sizes, url);
  }
  return [...bySizes.values()];
}

/** What stands in the elements for script of a page. */
export function inlineScript(html: string): string {
  let isScript = false;
  let code = '';
  readTokens(html, (token) => {
    if (token.kind !== 'text') isScript = token.kind === 'start' && token.name === 'script';
    else if (isScript) code += `${token.text}\n`;
  });
  return code;
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

/** What is published made smaller and with the number of its release is mostly a library: "tablesort-5.2.1.min.js". */
export const isRelease = (url: string): boolean => release.test(url) && !ownRelease.test(url);

const release = /\/[^/]+[-.@]v?\d+\.\d+\.\d+(?:[.-](?:min|slim|umd|esm|bundle|pkgd))+\.m?js(?:[?#]|$)/i;
/** Sites number files of their own, too. */
const ownRelease =
  /\/(?:app|application|main|index|site|bundle|scripts?|all|custom|theme|common|core|client|web)\b[^/]*$/i;
