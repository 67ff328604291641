import type { HttpProbe } from '../../model/http.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import type { CheckContext } from '../contract.ts';

/** Addresses that a style sheet loads from and that decide what a page looks like, as they are written. */
export type StyleAddresses = { imports: string[]; fonts: string[] };

/** Sheets that are read in all, and how deep they import each other. */
const maxSheets = 100;
const maxDepth = 2;

/** Sheets that a sheet imports, and fonts. Source: CSS Cascade §2, CSS Fonts §4.3. */
export function addressesInStyle(css: string): StyleAddresses {
  const text = css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ');
  const imports = text.matchAll(/@import\s+(?:url\(\s*)?["']?([^"'()\s;]+)/gi);
  const fonts = [...text.matchAll(/@font-face\s*\{[^}]*\}/gi)].flatMap(([rule]) => [
    ...rule.matchAll(/\burl\(\s*["']?([^"'()\s]+)/gi),
  ]);
  return {
    imports: [...imports].flatMap(([, address]) => address ?? []),
    fonts: fonts.flatMap(([, address]) => address ?? []),
  };
}

/** A sheet of the site and what it loads. */
type Sheet = StyleAddresses & { url: string };

/** Reads sheets of one site, each once. */
export function createSheetReader({
  http,
  leave,
}: Pick<CheckContext, 'http' | 'leave'>): (urls: readonly string[], origin: string) => Promise<Sheet[]> {
  const left = new Set<string>();
  const leaveOne = (url: string) => {
    if (left.has(url)) return;
    left.add(url);
    const text = `the style sheet ${url} was not read: the check reads ${maxSheets} at most, imported up to ${maxDepth} levels deep`;
    leave({ code: 'too_many', count: 1, text });
  };
  const known = new Map<string, Promise<Sheet | undefined>>();
  const read = (url: string): Promise<Sheet | undefined> | undefined => {
    if (!known.has(url) && known.size < maxSheets) known.set(url, sheetAt(http, url));
    if (!known.has(url)) leaveOne(url);
    return known.get(url);
  };
  return async (urls, origin) => {
    const sheets = new Map<string, Sheet>();
    let next = urls;
    for (let depth = 0; depth <= maxDepth && next.length > 0; depth++) {
      const own = [...new Set(next)].filter((url) => URL.parse(url)?.origin === origin && !sheets.has(url));
      const found = (await Promise.all(own.map(read))).flatMap((sheet) => sheet ?? []);
      for (const sheet of found) sheets.set(sheet.url, sheet);
      next = found.flatMap(({ url, imports }) => imports.flatMap((address) => URL.parse(address, url)?.href ?? []));
    }
    for (const url of next) if (URL.parse(url)?.origin === origin && !sheets.has(url)) leaveOne(url);
    return [...sheets.values()];
  };
}

/** Browsers take nothing else for a sheet of a page in standards mode; one that does not answer loads nothing. */
async function sheetAt(http: HttpProbe, url: string): Promise<Sheet | undefined> {
  try {
    const exchange = await http.get(url);
    const isSheet = exchange.status === 200 && /^\s*text\/css\b/i.test(exchange.header('content-type') ?? '');
    return isSheet ? { url, ...addressesInStyle(exchange.text) } : undefined;
  } catch (error) {
    if (!(error instanceof ProbeError) || error.code === 'canceled' || isFinal(error)) throw error;
    return undefined;
  }
}
