/** A way in which the author of a link hands a value to the script of a page. */
export type Entrance =
  /** `before` stands before the value: "", "/" or "name=". */
  | { in: 'fragment'; pageUrl: string; before: string }
  | { in: 'query'; pageUrl: string; parameter: string }
  /** The name of the window, which the page that opens it gives it. */
  | { in: 'name'; pageUrl: string };

/**
 * The address that hands over a value. What browsers leave as it is in an address stays so, because some scripts do not
 * decode what they read.
 * @param template in which references to values of the trial stay as they are
 */
export function addressWith(entrance: Entrance, template: string): string {
  const { pageUrl } = entrance;
  const [page = ''] = pageUrl.split('#');
  switch (entrance.in) {
    case 'fragment':
      return `${page}#${entrance.before}${encoded(template, entrance.before.endsWith('=') ? inPair : inFragment)}`;
    case 'query':
      return withParameters(page, [[entrance.parameter, encoded(template, inPair)]]);
    case 'name':
      return `data:text/html,${encoded(link(page, template), /[^\w-]/gu)}`;
  }
}

/** What browsers encode in a fragment themselves: URL Standard, fragment percent-encode set. */
const inFragment = /[\p{Cc} "<>`%\u0080-\u{10ffff}]/gu;
/** The same for a query, and what ends a value there. */
const inPair = /[\p{Cc} "'<>`#%&=+\u0080-\u{10ffff}]/gu;

/** What has to be clicked at that address. */
export const clicksOf = (entrance: Entrance): string[] => (entrance.in === 'name' ? ['a'] : []);

/** What a finding calls it. */
export function placeOf(entrance: Entrance): { parameter: string; parameterIn?: 'query' | 'fragment' } {
  if (entrance.in === 'name') return { parameter: 'window.name' };
  if (entrance.in === 'query') return { parameter: entrance.parameter, parameterIn: 'query' };
  const name = entrance.before.replace(/=$/, '');
  return { parameter: /^\w/.test(name) ? name : 'fragment', parameterIn: 'fragment' };
}

/**
 * A URL with parameters in place of those of the same name, and the others as they are.
 * @param pairs values percent-encoded already
 */
export function withParameters(url: string, pairs: readonly (readonly [name: string, value: string])[]): string {
  const { origin, pathname, searchParams } = new URL(url);
  const all = new Map([...searchParams].map(([name, value]) => [name, encodeURIComponent(value)]));
  for (const [name, value] of pairs) all.set(name, value);
  const query = [...all].map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&');
  return `${origin}${pathname}${query && `?${query}`}`;
}

/** A page whose link opens the target in a window of that name. */
const link = (href: string, name: string): string =>
  `<a href="${escapeAttribute(href)}" target="${escapeAttribute(name)}">Open</a>`;

const escapeAttribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function encoded(template: string, unsafe: RegExp): string {
  return template
    .split(/(‹[^‹›]*›)/)
    .map((part) => (part.startsWith('‹') ? part : part.replace(unsafe, percentEncoded)))
    .join('');
}

/** RFC 3986 §2.1, also for the characters that encodeURIComponent leaves. */
const percentEncoded = (char: string): string =>
  char.codePointAt(0) === 0x27 ? '%27' : encodeURIComponent(char.toWellFormed()).replace(/[!*()]/g, hex);

const hex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
