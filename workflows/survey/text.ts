import robotsParser from 'robots-parser';
import { parseJson } from '../model/json.ts';
import { resolve } from '../probe/html/links.ts';
import { addressesInCode } from './addresses/code.ts';
import { addressesInCss } from './addresses/css.ts';
import { addressesInJson, textsIn } from './addresses/json.ts';
import { addressesInProse } from './addresses/prose.ts';
import type { ClientAddresses } from './client-addresses.ts';

/** Links that are taken of one document; the frontier knows which of them look alike. */
const maxFound = 5_000;

/** Links of a document, and how many were beyond the limit. */
export type Links = { urls: string[]; left: number };

/** Quoted addresses such as "/api/orders" in script. */
const quotedPath =
  /["'`]((?:https?:\/\/|\.{0,2}\/)?[a-zA-Z0-9_][a-zA-Z0-9_\-./:]{0,200}(?:\?[a-zA-Z0-9_\-.=&%]{0,200})?)["'`]/g;
const xmlPlace =
  /<[\w:.-]{1,100}(?:\s[^<>]{0,500})?>\s*(?:<!\[CDATA\[)?((?:https?:\/)?\/[^<\s\]]{1,2048})\s*(?:\]\]>)?\s*<\//g;
/** `template` is that of a search. Source: OpenSearch 1.1, Url. */
const xmlAttribute = /\s(?:href|src|url|location|schemaLocation|template)="((?:https?:\/)?\/[^"\s]{1,2048})"/g;
/** Robots rules without wildcards name paths that exist. */
const robotsPath = /^[ \t]*(?:dis)?allow[ \t]*:[ \t]*(\/[^\s*$#]{1,512})[ \t]*$/gim;

/** Each once, absolute, up to the bound. */
function linksOf(found: Iterable<string>, base: string): Links {
  const all = [...new Set(found)];
  return {
    urls: all.slice(0, maxFound).flatMap((link) => resolve(link, base) ?? []),
    left: Math.max(0, all.length - maxFound),
  };
}

const matchesOf = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);

/** A call that sends its address something, by what stands right before and behind it: `axios.post("…`, `fetch("…", {method: "POST"`. */
const sendingBefore =
  /(?:\.\s*(?:post|put|patch|delete|sendBeacon)\s*\(\s*|\b(?:open|request|ajax)\s*\(\s*["'`](?:POST|PUT|PATCH|DELETE)["'`]\s*,\s*)$/i;
const sendingBehind = /^["'`]\s*,\s*\{[^{}]{0,200}?\b(?:method|type)["'`]?\s*:\s*["'`](?:POST|PUT|PATCH|DELETE)\b/i;
const aroundLength = 300;
/** Questions to such an address are POSTs, too. */
const isGraphQl = (path = ''): boolean => /\/(?:graphql|gql)$/i.test(path);

/** @property made, madeRoutes with a sample of ours where a value goes in @property routes of an application's table @property relative those that depend on the base, as they are written @property modules the same of those that it imports */
type ScriptLinks = Record<'links' | 'guesses' | 'made' | 'routes' | 'madeRoutes', Links> & {
  relative: string[];
  modules: string[];
  /** What the client of an API asks for. */
  called: ReturnType<ClientAddresses['read']>;
};

/** What script mentions, but for what it only sends something to; and what it may put together. */
export function linksInScript(script: string, base: string, client: ClientAddresses): ScriptLinks {
  const [sent, asked] = [new Set<string>(), new Set<string>()];
  for (const match of script.matchAll(quotedPath)) {
    const { index, 0: quoted, 1: path = '' } = match;
    const end = index + quoted.length - 1;
    const isSent =
      sendingBefore.test(script.slice(Math.max(0, index - 60), index)) ||
      sendingBehind.test(script.slice(end, end + aroundLength));
    (isSent && !isGraphQl(path) ? sent : asked).add(path);
  }
  const { routes, madeRoutes, modules, client: found, called, ...plain } = addressesInCode(script);
  const calls = client.read(found, base);
  const { urls, guesses, made } = client.hasBase() ? plain : unitedOf(plain, called);
  const isFollowed = (url: string) => (!sent.has(url) || asked.has(url)) && !isBundled(url);
  const bundled = [...urls, ...guesses].filter(isBundled);
  const [known, guessed] = [urls.filter(isFollowed), guesses.filter(isFollowed)];
  const relative = [...known, ...guessed].filter((address) => !/^(?:\/|[a-z]+:)/i.test(address)).slice(0, maxFound);
  return {
    links: linksOf(known, base),
    guesses: linksOf(guessed, base),
    made: linksOf(made.filter(isFollowed), base),
    routes: linksOf(routes, base),
    madeRoutes: linksOf(madeRoutes, base),
    relative,
    modules: [...new Set([...modules, ...bundled])].slice(0, maxFound),
    called: calls,
  };
}

/** A part that a bundler has made of a script, by the hash in its name: it lies beside the script that loads it. */
const isBundled = (address: string): boolean =>
  /^(?:\.\/)?[\w.@+-]*[-.](?=[\w-]*[\dA-Z])[\w-]{8}(?:\.[a-z]+)?\.(?:m?js|css)$/.test(address);

type FoundAddresses = Record<'urls' | 'guesses' | 'made', string[]>;

const unitedOf = (one: FoundAddresses, other: FoundAddresses): FoundAddresses => ({
  urls: [...one.urls, ...other.urls],
  guesses: [...one.guesses, ...other.guesses],
  made: [...one.made, ...other.made],
});

export const linksInCss = (css: string, base: string): Links => linksOf(addressesInCss(css), base);

/** Addresses in XML: pages of a sitemap, or further sitemaps (sitemaps.org protocol), entries of feeds, services of a description. */
export const linksInXml = (xml: string, base: string): Links => {
  const text = xml.replaceAll('&amp;', '&').replace(/\{[\w:]{1,50}\??\}/g, '1');
  return linksOf([...matchesOf(xmlPlace, text), ...matchesOf(xmlAttribute, text)], base);
};

/** Addresses that a text for people names. */
export const linksInProse = (text: string, base: string): Links => linksOf(addressesInProse(text), base);

/** What robots.txt gives away: it is read to find pages, not as a rule for an audit that the owner asked for. RFC 9309. */
export const linksInRobots = (text: string, base: string): Links =>
  linksOf([...robots(base, text).getSitemaps(), ...matchesOf(robotsPath, text)], base);

/** The package's declaration does not say that its function is the module itself. */
const robots = robotsParser as unknown as (url: string, text: string) => { getSitemaps(): string[] };

const markup = /<(?:a|form|iframe|area)\s/i;

/** Parts of pages that JSON brings, as scripts put them into a page. */
export const markupInJson = (text: string): string[] =>
  [...textsIn(parseJson(text))].flatMap(([, value]) => (markup.test(value) ? [value] : []));

/** Links in JSON: values that are URLs or absolute paths, and those of members that are called so. */
export const linksInJson = (text: string, base: string): Links => linksOf(addressesInJson(parseJson(text)), base);
