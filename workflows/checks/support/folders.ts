import type { Surface } from '../contract.ts';

/** "https://shop.example/" of every origin that serves pages itself; of all of them when each only leads elsewhere. */
export function siteRoots({ origins }: Surface): string[] {
  const serving = origins.filter(({ origin, redirectsTo }) => !redirectsTo || redirectsTo.startsWith(`${origin}/`));
  return (serving.length > 0 ? serving : origins).map(({ origin }) => `${origin}/`);
}

/** Folders of the site, each with a slash at its end: the roots first, then those of the pages that were seen, the shortest first. */
export function siteFolders(surface: Surface, max: number): string[] {
  const urls = surface.pages.filter(({ status }) => status < 400).map(({ url }) => url);
  return foldersOf(surface, urls).slice(0, max);
}

/** The same, and folders of what is not a page: pictures, styles, scripts, files to download. */
export function fileFolders(surface: Surface, max: number): string[] {
  const pages = surface.pages.filter(({ status }) => status < 400).map(({ url }) => url);
  const files = surface.skipped.filter(({ reason }) => reason === 'not a page').map(({ url }) => url);
  return foldersOf(surface, [...pages, ...files]).slice(0, max);
}

/** Folders of the site that these URLs lie in, the roots among them, the shortest first. */
export function foldersOf(surface: Surface, urls: readonly string[]): string[] {
  const roots = siteRoots(surface);
  const folders = urls
    .flatMap(ancestors)
    .filter((folder) => roots.some((root) => folder.startsWith(root)))
    .toSorted((a, b) => a.split('/').length - b.split('/').length);
  return [...new Set([...roots, ...folders])];
}

function ancestors(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const names = pathname.split('/').slice(1, -1);
  return names.map((_, index) => `${origin}/${names.slice(0, index + 1).join('/')}/`);
}
