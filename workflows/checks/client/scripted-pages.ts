import { isFinal, ProbeError } from '../../model/probe-error.ts';
import type { HashRoute, PageSurface, Surface } from '../../model/surface.ts';
import { wasOrWere } from '../../model/words.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { leadSource } from '../../survey/lead.ts';
import { parsePage } from '../../survey/page.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, pagesAtMost } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { omissionCode } from '../omitted.ts';
import { byAddress, htmlPages } from '../pages/html-pages.ts';
import { isLibraryFile, ownScripts, runsScript, scriptFiles } from '../pages/scripts.ts';
import { markupOf } from './page-markup.ts';
import { allScripts, coverOf, knownIn, type NamedPage, type NamedScript, withAllRoutes } from './script-cover.ts';

/** A page and the text of its own scripts, those in its HTML included; libraries that everybody has are left out. */
export type ScriptedPage = {
  url: string;
  scripts: string[];
  /** Those of them that are on few of the pages; all when not given. */
  anew?: string[];
  /** Parameters of its query that none of the pages before it has. */
  newNames?: string[];
  /** Its routes behind "#", with the scripts that only they load. */
  hashRoutes?: { fragment: string; scripts: string[] }[];
  /** What its links have behind "#", where that is put together of parts: "show/news". */
  fragments?: string[];
  /** Parameters of the query that the server's answer repeats, where a script may read them. */
  echoes?: string[];
};

const width = 4;
const maxPages = 120;
const maxFiles = 80;
/** Characters of one script that are looked at. */
const maxScriptLength = 2 * 1024 * 1024;
/** Pages of one route whose scripts differ: those of exercises do, and those of things by their numbers and names. */
const maxOfRoute = 12;

/** The pages of a surface that have script of their own: one of each route and code, the shortest address first. */
export const hasScript = (surface: Surface): boolean => scriptedPages(surface).length > 0;

const scriptedPages = (surface: Surface): PageSurface[] => {
  const loaded = loadedByRoute(surface);
  return htmlPages(surface, codeOf, maxOfRoute)
    .map((page) => ({ ...page, ...loaded.get(partRoute(page.url)) }))
    .filter((page) => runsScript(page) && page.source !== leadSource.wellKnown);
};

/** Scripts in the HTML of pages of one route have one length where they are the same. */
const codeOf = ({ scripts }: PageSurface): string =>
  JSON.stringify(scripts.map(({ url, inlineBytes }) => url ?? inlineBytes));

/** What the browser loaded at any address of a route: it may have used another one than that which stands for the route. */
function loadedByRoute({ pages }: Surface): Map<string, Pick<PageSurface, 'loaded'>> {
  const routes = new Map<string, Pick<PageSurface, 'loaded'>>();
  for (const { url, loaded } of pages) {
    const route = partRoute(url);
    if (loaded) routes.set(route, { loaded: [...new Set([...(routes.get(route)?.loaded ?? []), ...loaded])] });
  }
  return routes;
}

/** A script in the HTML of a page, and that page. */
export type TextsByLength = Map<number, { text: string; url: string }>;

type Looking = {
  session?: Parameters<CheckContext['http']['get']>[1];
  /** Where other visitors were shown pages, whose scripts are looked at on one page more. */
  shownBefore?: readonly Surface[];
  /**
   * Script in the HTML of pages that were looked at, by its bytes: a page that has only such is not asked for, and nothing is known of
   * its fragments. All pages are asked for when not given.
   */
  textsByLength?: TextsByLength;
};

/**
 * Pages of which a script shows by its text that it does something: so many that each such script is on two of them.
 * @param isWanted looks at the text of one script
 */
export async function pagesWithScript(
  context: Pick<CheckContext, 'http' | 'leave'>,
  surface: Surface,
  isWanted: (script: string) => boolean,
  { session = {}, shownBefore = [], textsByLength }: Looking = {},
): Promise<ScriptedPage[]> {
  const pages = pagesAtMost(context, scriptedPages(surface).toSorted(byAddress), maxPages);
  const own = new Set(ownScripts(surface).filter((url) => !isLibraryFile(url)));
  const named = new Set(pages.flatMap((page) => [...scriptFiles(page), ...hashRoutesOf(page).flatMap(loadedBy)]));
  const files = atMost(
    context,
    [...named].filter((url) => own.has(url)),
    maxFiles,
    'script files',
  );
  const texts = await inParallel(files, width, (url) => scriptAt(context, url));
  const textOf = new Map(files.map((url, index) => [url, texts[index]]));
  const read = (urls: readonly string[]): NamedScript[] =>
    urls.flatMap((name) => {
      const text = textOf.get(name);
      return text === undefined ? [] : [{ name, text }];
    });
  let unread = 0;
  const looked = await inParallel(pages, width, async (page): Promise<NamedPage> => {
    const { url } = page;
    const { inlineScripts, fragments, elements, isUnread } = await inPage(context, page, session, textsByLength);
    if (isUnread) unread += 1;
    const ownFiles = scriptFiles(page);
    return {
      ...{ url, fragments, elements },
      scripts: [...inlineScripts.map((text) => ({ name: text, text })), ...read(ownFiles)],
      hashRoutes: hashRoutesOf(page).map(({ fragment, loaded }) => ({
        fragment,
        scripts: read(loaded.filter((file) => !ownFiles.includes(file))),
      })),
      names: page.loaded ? queryNames(surface, url) : [],
    };
  });
  const text = `${unread} of ${pages.length} pages ${wasOrWere(unread)} not asked for: scripts of the same files and length were read on others`;
  if (unread > 0) context.leave({ code: 'alike', count: unread, text });
  const wanted = looked.filter((page) => allScripts(page).some(({ text }) => isWanted(text)));
  const chosen = withAllRoutes(coverOf(context, wanted, isWanted, knownIn(shownBefore)), wanted);
  return chosen.map(({ url, scripts, anew, newNames, hashRoutes, fragments }) => ({
    ...{ url, fragments, newNames },
    anew: anew.map(({ text }) => text),
    scripts: scripts.map(({ text }) => text),
    hashRoutes: hashRoutes.map((route) => ({ ...route, scripts: route.scripts.map(({ text }) => text) })),
  }));
}

async function inPage(
  context: Pick<CheckContext, 'http' | 'leave'>,
  { url, scripts }: PageSurface,
  session: Looking['session'],
  known: Looking['textsByLength'],
): Promise<{ inlineScripts: string[]; fragments: string[]; elements: string[]; isUnread?: true }> {
  const alike = scripts.flatMap(({ url, inlineBytes = 0 }) => (url === undefined ? [known?.get(inlineBytes)] : []));
  if (known && alike.every((each) => each !== undefined)) {
    const isUnread = alike.some((each) => each.url !== url);
    const inlineScripts = alike.map(({ text }) => text);
    return { inlineScripts, fragments: [], elements: [], ...(isUnread && { isUnread }) };
  }
  const { text } = await context.http.get(url, session);
  const { inlineScripts } = parsePage(text, url);
  for (const script of inlineScripts) known?.set(Buffer.byteLength(script), { text: script, url });
  return { inlineScripts, ...markupOf(context, text, url) };
}

const hashRoutesOf = ({ hashRoutes = [] }: PageSurface): HashRoute[] => hashRoutes;
const loadedBy = ({ loaded }: HashRoute): string[] => loaded;

const queryNames = ({ inputs }: Surface, url: string): string[] =>
  inputs.flatMap((input) =>
    input.method === 'GET' && input.in === 'query' && withoutQuery(input.url) === withoutQuery(url)
      ? [input.parameter]
      : [],
  );

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

/** One file that gives no answer does not affect the others; it is reported. */
async function scriptAt(
  { http, leave }: Pick<CheckContext, 'http' | 'leave'>,
  url: string,
): Promise<string | undefined> {
  try {
    const { text, truncated } = await http.get(url);
    const cut = `a script is looked at up to ${maxScriptLength.toLocaleString('en')} characters: ${url} is longer`;
    if (truncated || text.length > maxScriptLength) leave({ code: 'page_cut', count: 1, text: cut });
    return text.slice(0, maxScriptLength);
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
    leave({ code: omissionCode(error), count: 1, text: `a script was not read: ${error.message}` });
    if (isFinal(error)) throw error;
    return undefined;
  }
}
