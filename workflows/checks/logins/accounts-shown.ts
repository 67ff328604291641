import type { PageSurface } from '../../model/surface.ts';
import { namedPath } from '../../probe/program-parts.ts';
import type { CheckContext } from '../contract.ts';
import { atMost, likeliest, widened } from '../inputs/at-most.ts';
import type { LoginAddress } from './login.ts';
import { accountsInSources, mayBeMapped } from './mapped-sources.ts';
import { drawnAt, textAt } from './page-text.ts';
import { accountsInFile, accountsInScript, type ShownAccount, shownAccounts } from './shown-accounts.ts';

/** Pages that explain how to log in. */
const helping =
  /(?:^|[/_-])(?:log-?in|sign-?in|help|faq|about|readme|docs?|demo|welcome|start|intro(?:duction)?)(?:$|[/_.-])/i;
const isCode = /script|css/i;
const maxPages = 6;
/** Pages of a site that is read as a whole. */
const maxSmall = 16;
/** Files of text whose names say that they are about accounts, or not for visitors. */
const accountWords =
  /(?:user|account|cred|passw|login|secret|backup|dump|note|todo|old|private|internal|admin|staff|member|readme)/i;
const maxFiles = 4;
const maxScripts = 3;

/**
 * Accounts that the page of a login, the first page and those that help have for everybody to read, or any page of a small site; the
 * scripts of the login and the first page with the sources that their maps give out, and files of text that the survey came to; each once.
 */
export async function accountsShownBy(
  context: Pick<CheckContext, 'allowance' | 'http' | 'browser' | 'surface' | 'leave'>,
  { input }: LoginAddress,
): Promise<ShownAccount[]> {
  const { http, browser, surface } = context;
  const loginPage = input.page?.url ?? input.url;
  const shown = surface.pages.filter(({ status }) => status === 200);
  // A script by the name of "login.js" is none: nobody reads what it has.
  const helpful = shown.filter(({ url, contentType }) => helping.test(namedPath(url)) && !isCode.test(contentType));
  const urls = new Set([loginPage, surface.url, ...helpful.map(({ url }) => url)]);
  const found: ShownAccount[] = [];
  for (const url of atMost(context, [...urls], widened(context, maxPages), 'pages with words of help'))
    found.push(...shownAccounts(await textAt(http, url)));
  for (const url of found.length === 0 ? othersOf(shown).filter((each) => !urls.has(each)) : [])
    found.push(...shownAccounts(await textAt(http, url)));
  for (const url of likeliest(
    context,
    scriptsOf(surface, [loginPage, new URL(surface.url).href]),
    maxScripts,
    'scripts of a login',
  ))
    found.push(...accountsInScript(await textAt(http, url)));
  for (const url of likeliest(
    context,
    mayBeMapped(surface, [loginPage, new URL(surface.url).href]),
    maxScripts,
    'scripts of a login',
  ))
    found.push(...(await accountsInSources(context, url)));
  // What a script asks for, and writes into its page, stands nowhere else.
  if (found.length === 0)
    for (const url of new Set([loginPage, new URL(surface.url).href]))
      if (isScripted(surface, url)) found.push(...shownAccounts(await drawnAt(browser, url)));
  const files = surface.pages.filter(mayNameAccounts).map(({ url }) => url);
  for (const url of likeliest(context, files, maxFiles, 'files of text that may have accounts'))
    found.push(...accountsInFile(await textAt(http, url)));
  return [...new Map(found.toReversed().map((each) => [JSON.stringify(each.pair), each])).values()].toReversed();
}

/** A note on any page of a small site is for whoever tries it out; in the texts of a large one names and words stand side by side. */
function othersOf(pages: readonly PageSurface[]): string[] {
  const read = pages.filter(({ contentType }) => /html/i.test(contentType));
  return read.length > maxSmall ? [] : read.map(({ url }) => url);
}

const isScripted = ({ pages }: CheckContext['surface'], page: string): boolean =>
  pages.some(({ url, scripts }) => url === page && scripts.length > 0);

/** The site's own, those of libraries left out. */
function scriptsOf({ pages, url: base }: CheckContext['surface'], of: readonly string[]): string[] {
  const scripts = of.flatMap((page) => pages.find(({ url }) => url === page)?.scripts ?? []);
  const { origin } = new URL(base);
  const isOwn = (url: string) => URL.parse(url)?.origin === origin && !/\.min\.js|jquery|bootstrap|vendor/i.test(url);
  return [...new Set(scripts.flatMap(({ url }) => (url !== undefined && isOwn(url) ? url : [])))];
}

const mayNameAccounts = ({ url, status, contentType }: PageSurface): boolean => {
  const path = namedPath(url);
  return (
    status === 200 &&
    /^text\/(?:plain|csv)$|octet-stream|^$/.test(contentType) &&
    accountWords.test(path) &&
    !/\/(?:robots|humans|security|ads)\.txt$/.test(path)
  );
};
