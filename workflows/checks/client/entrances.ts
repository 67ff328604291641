import { foreignOrigin } from '../sessions/foreign-page.ts';
import { clicksOfMessages, dataOf, type Message, pageThatPosts } from './posted-messages.ts';

/** A way in which the author of a link hands a value to the script of a page. */
export type Entrance =
  /** `before` stands before the value: "", "/" or "name=". */
  | { in: 'fragment'; pageUrl: string; before: string }
  /** The fragment that a page which is open already is sent to. */
  | { in: 'change'; pageUrl: string; before: string }
  /** A member of JSON in the fragment, or in a parameter of the query. */
  | { in: 'json'; pageUrl: string; member: string; parameter?: string }
  | { in: 'query'; pageUrl: string; parameter: string }
  /** One of these with its value in base64, as it is or as a member of JSON. */
  | { in: 'base64'; pageUrl: string; at: Entrance; member?: string }
  /** The rest of the path behind `folder`, where the server gives the same page for every path. */
  | { in: 'path'; pageUrl: string; folder: string }
  /** The address of the page that links to it. */
  | { in: 'referrer'; pageUrl: string }
  /** What another window posts to it, of a site whose name looks like this one to those who know a part of it. */
  | { in: 'message'; pageUrl: string; message: Message; origin?: string }
  /** The name of the window, which the page that opens it gives it. */
  | { in: 'name'; pageUrl: string };

/** What a browser does to pass a value to the page. */
export type Entering = { url: string; clicks?: string[]; page?: string };

/** @param template in which references to values of the trial stay as they are */
export function entering(entrance: Entrance, template: string): Entering {
  const url = addressWith(entrance, template);
  switch (entrance.in) {
    case 'name':
      return { url, clicks: ['a'] };
    case 'change':
      return { url, clicks: clicksOfChanges(1) };
    case 'referrer':
      return { url, clicks: ['a'], page: linkWithReferrer(entrance.pageUrl) };
    case 'message':
      return {
        url,
        clicks: clicksOfMessages,
        page: pageThatPosts(entrance.pageUrl, [dataOf(entrance.message, template)]),
      };
    default:
      return { url };
  }
}

/**
 * The address that passes a value. What browsers leave as it is in an address stays so, because some scripts do not
 * decode what they read.
 * @param template in which references to values of the trial stay as they are
 */
export function addressWith(entrance: Entrance, template: string): string {
  const { pageUrl } = entrance;
  const [page = ''] = pageUrl.split('#');
  switch (entrance.in) {
    case 'fragment':
      return `${page}#${entrance.before}${inFragmentOf(entrance.before, template)}`;
    case 'change':
      return changesOf(page, [`${entrance.before}${inFragmentOf(entrance.before, template)}`]);
    case 'json':
      return jsonAddress(entrance, [[entrance.member, template]]);
    case 'query':
      return withParameters(page, [[entrance.parameter, encoded(template, inQuery)]]);
    case 'base64':
      return withNonce(addressWith(entrance.at, inBase64([[entrance.member, template]])));
    case 'path':
      return `${new URL(page).origin}${entrance.folder}${encoded(template, inPath)}`;
    case 'referrer':
      return `${foreignOrigin(page)}/?q=${encoded(template, inPair)}`;
    case 'message':
      return `${entrance.origin ?? foreignOrigin(page)}/`;
    case 'name':
      return `data:text/html,${encoded(link(page, template), /[^\w-]/gu)}`;
  }
}

/** The page with JSON in one of its parameters, or behind "#". */
export function jsonAddress(
  { pageUrl, parameter }: { pageUrl: string; parameter?: string },
  members: readonly (readonly [name: string, template: string])[],
): string {
  const [page = ''] = pageUrl.split('#');
  const json = jsonWith(members);
  return parameter === undefined ? `${page}#${json}` : withParameters(page, [[parameter, json]]);
}

/** What a trial's values stand in cannot be encoded beforehand, so script takes the nonce from elsewhere in the address. */
const nonceName = 'nonce0';
const withNonce = (url: string): string => {
  const [page = '', ...fragment] = url.split('#');
  return [`${page}${page.includes('?') ? '&' : '?'}${nonceName}=‹nonce›`, ...fragment].join('#');
};

/**
 * Base64 of a value, or of JSON with values as members, without what fills it up at its end: "=" has a meaning in addresses.
 * @param members of which one without a name is the whole
 */
export function inBase64(members: readonly (readonly [name: string | undefined, template: string])[]): string {
  const texts = members.map(([name, template]) => {
    const text = template
      .replaceAll('/‹nonce›/.source', `/${nonceName}=(\\w+)/.exec(location)[1]`)
      .replaceAll('‹nonce›', nonceName);
    return [name, text] as const;
  });
  const whole = texts.find(([name]) => name === undefined)?.[1] ?? JSON.stringify(Object.fromEntries(texts));
  return Buffer.from(whole).toString('base64').replace(/=+$/, '');
}

const inFragmentOf = (before: string, template: string): string =>
  encoded(template, before.endsWith('=') ? inPair : inFragment);

/** A page of our own with links that open a page in a window, and send it to one fragment after the other. */
export function changesOf(page: string, fragments: readonly string[]): string {
  const links = ['', ...fragments.map((fragment) => `#${fragment}`)].map((end) => link(page + end, 'opened'));
  return `data:text/html,${encoded(links.join(' '), /[^\w-]/gu)}`;
}

/** What has to be clicked there. */
export const clicksOfChanges = (count: number): string[] =>
  Array.from({ length: count + 1 }, (_, index) => `a:nth-of-type(${index + 1})`);

/** JSON for a fragment, every character encoded that is not safe in all places. */
const jsonWith = (members: readonly (readonly [name: string, template: string])[]): string =>
  encoded(JSON.stringify(Object.fromEntries(members)), inPair);

/** Browsers send no more than the origin to other sites, unless the page that links says otherwise. Source: Referrer Policy §3. */
const linkWithReferrer = (page: string): string =>
  `<!doctype html>\n<meta name="referrer" content="unsafe-url">\n<a href="${escapeAttribute(page.split('#')[0] ?? '')}">Open</a>\n`;

/** What browsers encode in a fragment themselves: URL Standard, fragment percent-encode set. */
const inFragment = /[\p{Cc} "<>`%\u0080-\u{10ffff}]/gu;
/** The same for a query, and what ends a value there. */
const inPair = /[\p{Cc} "'<>`#%&=+\u0080-\u{10ffff}]/gu;

/** Servers may take a semicolon for the end of a pair, or drop a pair that has one, as those in Go do. */
const inQuery = /[\p{Cc} "'<>`#%&=+;\u0080-\u{10ffff}]/gu;

/** What a finding calls it. */
export function placeOf(entrance: Entrance): { parameter: string; parameterIn?: 'query' | 'fragment' | 'path' } {
  switch (entrance.in) {
    case 'name':
      return { parameter: 'window.name' };
    case 'referrer':
      return { parameter: 'document.referrer' };
    case 'message':
      return { parameter: entrance.message.member ?? 'message' };
    case 'path':
      return { parameter: 'path', parameterIn: 'path' };
    case 'query':
      return { parameter: entrance.parameter, parameterIn: 'query' };
    case 'json':
      return entrance.parameter === undefined
        ? { parameter: entrance.member, parameterIn: 'fragment' }
        : { parameter: entrance.parameter, parameterIn: 'query' };
    case 'base64':
      return placeOf(entrance.at);
    default: {
      const name = /(?<![\w-])([\w-]+)=$/.exec(entrance.before)?.[1];
      return { parameter: name ?? 'fragment', parameterIn: 'fragment' };
    }
  }
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

/** What ends a piece of a path besides. */
const inPath = /[\p{Cc} "'<>`%#?/\\{}^|\u0080-\u{10ffff}]/gu;

/** A link that opens the target in a window of that name. */
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
