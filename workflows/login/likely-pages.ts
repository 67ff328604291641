import { percentDecodedOrSame } from '../../kit/percent.ts';
import type { Login } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { loginUrlOf } from './log-in.ts';
import type { LoginSession } from './session.ts';

/** Addresses that an app reads once it knows who is there are as many as it likes. */
const maxCalls = 5;

/** The pages that show who is logged in, as far as anybody said or the login showed. Absolute, the likeliest first. */
export function pagesToCheck(
  { checkUrl, kind }: Login,
  { landing, calls = [] }: LoginSession,
  baseUrl: string,
): string[] {
  const read = ofAccountFirst(calls).slice(0, maxCalls);
  // Of an app, what it reads says who is there: its page is the same for all.
  if (checkUrl !== '' && URL.canParse(checkUrl, baseUrl))
    return [...new Set([new URL(checkUrl, baseUrl).href, ...read])];
  // What takes JSON shows nothing.
  const landed = landing && kind.case !== 'json' ? [landing.url] : [];
  return [...new Set([baseUrl, ...landed, ...read])];
}

const ofAccount = /(?:\/|\b)(?:me|who-?am-?i|user\w*|account|profile|session)\b/i;

/** Addresses that by their words are about whoever is logged in come first. */
export function ofAccountFirst(urls: readonly string[]): string[] {
  const { true: first = [], false: others = [] } = Object.groupBy(urls, (url) =>
    ofAccount.test(percentDecodedOrSame(url)) ? 'true' : 'false',
  );
  return [...first, ...others];
}

/** Where interfaces and sites usually say who is logged in. */
const names = ['me', 'user', 'users/me', 'profile', 'account', 'whoami'];
const maxFolders = 3;

/** Beside the login, in the folders above it, and below the start page. */
export function likelyPages(login: Login, baseUrl: string): string[] {
  const folders = [new URL(loginUrlOf(login, baseUrl) ?? '/api/', baseUrl)];
  for (let above = folders[0]; above && above.pathname !== '/' && folders.length < maxFolders; above = folders.at(-1))
    folders.push(new URL(above.pathname.endsWith('/') ? '..' : '.', above));
  const urls = [...folders.slice(1).map(({ href }) => href), new URL('/', baseUrl).href];
  return [...new Set(urls.flatMap((folder) => names.map((name) => new URL(name, folder).href)))];
}

/** Last parts of the paths of pages about the account itself. Reading one changes nothing. */
const accountPage = /\/(?:me|my-?account|my-?profile|account|profile|whoami|dashboard)\/?$/i;
const maxLinks = 2;

/** Pages about the account that a page leads to, on its own origin, the first ones. */
export function accountLinks(text: string, url: string): string[] {
  const targets = [...text.matchAll(/\shref\s*=\s*["']([^"'#?]{1,200})["']/gi)].map(([, href = '']) =>
    URL.parse(href, url),
  );
  const own = targets.filter((target) => target?.origin === new URL(url).origin && accountPage.test(target.pathname));
  return [...new Set(own.flatMap((target) => target?.href ?? []))].slice(0, maxLinks);
}
