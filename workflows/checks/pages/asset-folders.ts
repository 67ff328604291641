import { attributeOf, isElement, nodesOf } from '../../probe/html/tree.ts';
import type { CheckContext } from '../contract.ts';
import { samplePages } from '../inputs/at-most.ts';
import { foldersOf } from './folders.ts';
import { htmlPages } from './html-pages.ts';
import { lookAtPages } from './look-at-pages.ts';

const maxPages = 10;

/** Folders of the pictures, styles, scripts and media that pages show: uploads lie there. The shallowest first. */
export async function assetFolders(context: CheckContext): Promise<string[]> {
  const { http, surface } = context;
  const pages = samplePages(context, htmlPages(surface), maxPages, 'they take their files from the same folders');
  const named = await lookAtPages(context, pages, async ({ url }) => assetsIn((await http.get(url)).text, url));
  const scripts = surface.pages.flatMap((page) => page.scripts.flatMap(({ url }) => url ?? []));
  return foldersOf(surface, [...named.flat(), ...scripts]);
}

const assetsIn = (html: string, page: string): string[] =>
  [...nodesOf(html)].filter(isElement).flatMap((element) => {
    const given =
      attributeOf(element, 'src') ?? (element.tagName === 'link' ? attributeOf(element, 'href') : undefined);
    const url = given === undefined ? null : URL.parse(given, page);
    return url && /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
