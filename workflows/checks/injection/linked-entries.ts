import { isHtml } from '../../probe/http/document-type.ts';
import { parsePage } from '../../survey/page.ts';
import type { CheckContext } from '../contract.ts';
import { type EntryPlace, type LinkedPage, linksIn, linksTo } from './entry-places.ts';
import { type PlantedValue, read } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';

const maxOpened = 3;

/**
 * Finds further pages about an entry behind links of its own page, a preview for instance, that show what was stored.
 * @throws ProbeError
 */
export async function linkedPages(
  context: CheckContext,
  form: StoringForm,
  planted: readonly PlantedValue[],
  page: { url: string; entry: EntryPlace },
): Promise<{ url: string; entry: LinkedPage }[]> {
  const shown = await read(context, form.identity, page.url);
  if (shown?.status !== 200 || !isHtml(shown)) return [];
  const { text } = shown;
  const links = new Set(parsePage(text, page.url).links.map(({ url }) => url.replace(/#.*$/s, '')));
  const found: { url: string; entry: LinkedPage }[] = [];
  for (const url of [...links].filter((each) => isAbout(each, page.url)).slice(0, maxOpened)) {
    const way = linksTo(page.url, url).find(({ base, link }) => base + (linksIn(text, link)[0] ?? '') === url);
    const answer = way && (await read(context, form.identity, url));
    if (!way || answer?.status !== 200 || !planted.some(({ word }) => answer.text.includes(word))) continue;
    found.push({ url, entry: { by: 'link', page, ...way } });
  }
  return found;
}

/** It has what distinguishes the entry among its own parts, or lies below it. */
function isAbout(url: string, entryUrl: string): boolean {
  const [one, entry] = [new URL(url), new URL(entryUrl)];
  if (url === entryUrl || one.origin !== entry.origin) return false;
  if (one.pathname.startsWith(`${entry.pathname.replace(/\/$/, '')}/`) && entry.pathname !== '/') return true;
  const id = idOf(entry);
  return id !== undefined && partsOf(one).includes(id);
}

const partsOf = ({ pathname, searchParams }: URL): string[] => [...pathname.split('/'), ...searchParams.values()];

const idOf = (url: URL): string | undefined => partsOf(url).findLast((part) => /\d/.test(part));
