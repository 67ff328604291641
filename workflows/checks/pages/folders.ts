import type { PageSurface, Surface } from '../../model/surface.ts';
import { normaliseRoute } from '../../probe/routes.ts';
import type { CheckContext } from '../contract.ts';
import { eachKindAtMost, likeliest } from '../inputs/at-most.ts';

/** "https://shop.example/" of every origin that serves pages itself; of all of them when each only leads elsewhere. */
export function siteRoots({ origins }: Surface): string[] {
  const serving = origins.filter(({ origin, redirectsTo }) => !redirectsTo || redirectsTo.startsWith(`${origin}/`));
  return (serving.length > 0 ? serving : origins).map(({ origin }) => `${origin}/`);
}

/**
 * Folders of the site, each with a slash at its end: the roots first, then those of the pages that were seen, the shortest first. It is for
 * guesses at files in them. Folders of nothing but scripts and styles hold no application.
 */
export function siteFolders(context: Pick<CheckContext, 'leave' | 'surface'>, max: number): string[] {
  const { surface } = context;
  const urls = surface.pages.filter((page) => page.status < 400 && !isAsset(page)).map(({ url }) => url);
  return likeliest(context, foldersOf(surface, urls), max, 'folders');
}

/** The same with folders of scripts and styles, which may be copies of repositories. */
export function checkedOutFolders(context: Pick<CheckContext, 'leave' | 'surface'>, max: number): string[] {
  const { surface } = context;
  const urls = surface.pages.filter(({ status }) => status < 400).map(({ url }) => url);
  return likeliest(context, foldersOf(surface, urls), max, 'folders');
}

const isAsset = ({ url, contentType }: PageSurface): boolean =>
  /\.(?:m?js|css|map)$/i.test(new URL(url).pathname) ||
  /^(?:text\/css|(?:text|application)\/(?:x-)?javascript)\b/.test(contentType);

/** The same, and folders of what is not a page: pictures, styles, scripts, files to download. */
export function fileFolders(surface: Surface): string[] {
  const pages = surface.pages.filter(({ status }) => status < 400).map(({ url }) => url);
  const files = surface.skipped.filter(({ code }) => code === 'not-a-page').map(({ url }) => url);
  return foldersOf(surface, [...pages, ...files]);
}

/** So many folders side by side below another one have names of things, as those of articles are. */
const manySiblings = 8;

/** The first of them; those named by an identifier, as "/orders/17/", or that stand beside many others, are of one kind. */
export function foldersAtMost(context: Pick<CheckContext, 'leave'>, folders: readonly string[], max: number): string[] {
  const siblings = Map.groupBy(folders, parentOf);
  const isOfThings = (folder: string) =>
    new URL(parentOf(folder)).pathname !== '/' && (siblings.get(parentOf(folder))?.length ?? 0) >= manySiblings;
  /** The address with a number for each name of a thing. */
  const foldedOf = (folder: string): string => {
    const parent = parentOf(folder);
    return parent === folder ? folder : `${foldedOf(parent)}${isOfThings(folder) ? '0/' : folder.slice(parent.length)}`;
  };
  return eachKindAtMost(context, folders, { max, kindOf: (folder) => normaliseRoute(foldedOf(folder)) }, 'folders');
}

/** The folder that it lies in; a root lies in itself. */
const parentOf = (folder: string): string =>
  new URL(folder).pathname === '/' ? folder : folder.replace(/[^/]+\/$/, '');

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
