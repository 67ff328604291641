import type { Surface } from '../model/surface.ts';
import { pageKey } from '../probe/gate/form-key.ts';
import { readAddress } from '../probe/gate/urls.ts';
import { pagesAround } from '../survey/pages-around.ts';
import type { PageWatch } from './page-watch.ts';

/** Pages of one visitor that are opened to see what that does; sites have few such routes. */
const maxPages = 20;

type MakingPages = {
  /** Keys of pages that make something as soon as they are opened. */
  writing: string[];
  /** Those that there was no room for. */
  left: number;
};

/**
 * Opens each page whose path says that it makes something new ("/posts/new") once more, and looks at the pages around it: an editor
 * may make a draft as soon as it is opened, and lead to it.
 */
export async function observeMakingPages(
  surface: Surface,
  { watch, signal }: { watch: PageWatch; signal: AbortSignal },
): Promise<MakingPages> {
  const shown = surface.pages.filter(({ url, status }) => status < 400 && readAddress(url).making !== undefined);
  const routes = new Map(shown.map(({ url }) => [pageKey(url), url]));
  const writing: string[] = [];
  for (const [key, url] of [...routes].slice(0, maxPages)) {
    signal.throwIfAborted();
    if (await makesSomething(surface, watch, url)) writing.push(key);
  }
  return { writing, left: Math.max(0, routes.size - maxPages) };
}

async function makesSomething(surface: Surface, watch: PageWatch, url: string): Promise<boolean> {
  const isMaking = (each: string) => readAddress(each).making !== undefined;
  const around = pagesAround(surface, { url, pageUrl: url }).pages.filter((each) => !isMaking(each));
  const before = [];
  for (const each of around) {
    const reading = await watch.before(each);
    if (reading) before.push(reading);
  }
  await watch.read(url);
  for (const reading of before) if ((await watch.after(reading))?.changed) return true;
  return false;
}
