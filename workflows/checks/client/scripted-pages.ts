import { isOver, ProbeError } from '../../model/probe-error.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import { parsePage } from '../../survey/page.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, pagesAtMost, sample, type Teller } from '../inputs/at-most.ts';
import { inParallel } from '../inputs/parallel.ts';
import { omissionCode } from '../omitted.ts';
import { byAddress, htmlPages } from '../pages/html-pages.ts';
import { isLibraryFile, ownScripts } from '../pages/scripts.ts';

/** A page and the text of its own scripts, those in its HTML included; libraries that everybody has are left out. */
export type ScriptedPage = { url: string; scripts: string[] };

const width = 4;
const maxPages = 40;
const maxFiles = 40;
/** Characters of one script that are looked at. */
const maxScriptLength = 1024 * 1024;
/** Pages with the same scripts: what a script does may depend on what else is on the page. */
const maxAlike = 2;

/** The pages of a surface that have script of their own: one of each route, the shortest address first. */
export const hasScript = (surface: Surface): boolean => scriptedPages(surface).length > 0;

const scriptedPages = (surface: Surface): PageSurface[] =>
  htmlPages(surface).filter(({ scripts }) => scripts.length > 0);

/**
 * Pages of which a script tells by its text that it does something; of those with the same such scripts, the first two.
 * @param isWanted looks at the text of one script
 * @param options.more further pages to look at, whatever their route
 */
export async function pagesWithScript(
  context: Pick<CheckContext, 'http' | 'leave'>,
  surface: Surface,
  isWanted: (script: string) => boolean,
  session: Parameters<CheckContext['http']['get']>[1] = {},
): Promise<ScriptedPage[]> {
  const { http } = context;
  const pages = pagesAtMost(context, scriptedPages(surface).toSorted(byAddress), maxPages);
  const own = new Set(ownScripts(surface).filter((url) => !isLibraryFile(url)));
  const named = new Set(pages.flatMap(({ scripts }) => scripts.flatMap(({ url }) => url ?? [])));
  const files = atMost(
    context,
    [...named].filter((url) => own.has(url)),
    maxFiles,
    'script files',
  );
  const texts = await inParallel(files, width, (url) => scriptAt(context, url));
  const textOf = new Map(files.map((url, index) => [url, texts[index]]));
  const looked = await inParallel(pages, width, async ({ url, scripts }): Promise<ScriptedPage> => {
    const { inlineScripts } = parsePage((await http.get(url, session)).text, url);
    const fromFiles = scripts.flatMap((script) => textOf.get(script.url ?? '') ?? []);
    return { url, scripts: [...inlineScripts, ...fromFiles] };
  });
  return someOfAlike(context, looked, isWanted);
}

/** One file that gives no answer costs no other; it is told. */
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
    if (isOver(error)) throw error;
    return undefined;
  }
}

function someOfAlike(
  context: Teller,
  pages: readonly ScriptedPage[],
  isWanted: (script: string) => boolean,
): ScriptedPage[] {
  const wanted = pages.filter(({ scripts }) => scripts.some(isWanted));
  const kinds = Map.groupBy(wanted, ({ scripts }) => JSON.stringify(scripts.filter(isWanted).toSorted()));
  const few = [...kinds.values()].flatMap((alike) =>
    sample(context, alike, maxAlike, 'pages', 'they have the same scripts'),
  );
  return wanted.filter((page) => few.includes(page));
}
