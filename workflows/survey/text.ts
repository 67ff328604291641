import robotsParser from 'robots-parser';
import { parseJson } from '../model/json.ts';
import { resolve } from '../probe/html/links.ts';

/** Links that are taken of one document; the frontier knows which of them look alike. */
const maxFound = 5_000;

/** Links of a document, and how many there was no room for. */
export type Links = { urls: string[]; left: number };

/** Quoted paths such as "/api/orders" in script: hints at an API that no link leads to. */
const quotedPath = /["'`](\/[a-zA-Z0-9_][a-zA-Z0-9_\-./]{0,200}(?:\?[a-zA-Z0-9_\-.=&%]{0,200})?)["'`]/g;
const sitemapPlace = /<loc>\s*([^<\s]{1,2048})\s*<\/loc>/g;
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

/** Paths of the same origin that script mentions, but for those that it only sends something to. */
export const linksInScript = (script: string, base: string): Links => {
  const isSent = ({ index, 0: quoted }: RegExpExecArray): boolean => {
    const end = index + quoted.length - 1;
    return (
      sendingBefore.test(script.slice(Math.max(0, index - 60), index)) ||
      sendingBehind.test(script.slice(end, end + aroundLength))
    );
  };
  const found = [...script.matchAll(quotedPath)].filter((match) => isGraphQl(match[1]) || !isSent(match));
  return linksOf(
    found.map(([, path = '']) => path),
    base,
  );
};

/** Pages of a sitemap; for an index, further sitemaps. Source: sitemaps.org protocol. */
export const linksInSitemap = (xml: string, base: string): Links =>
  linksOf(matchesOf(sitemapPlace, xml.replaceAll('&amp;', '&')), base);

/** What robots.txt gives away: it is read to find pages, not as a rule for an audit that the owner asked for. RFC 9309. */
export const linksInRobots = (text: string, base: string): Links =>
  linksOf([...robots(base, text).getSitemaps(), ...matchesOf(robotsPath, text)], base);

/** The package's declaration does not say that its function is the module itself. */
const robots = robotsParser as unknown as (url: string, text: string) => { getSitemaps(): string[] };

/** Links in JSON: values that are URLs or absolute paths. */
export const linksInJson = (text: string, base: string): Links => linksOf(linkTexts(parseJson(text)), base);

function* linkTexts(root: unknown): Generator<string> {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' && /^(?:https?:\/\/|\/[a-z0-9_])\S{0,2000}$/i.test(value)) yield value;
    else if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) pending.push(member);
  }
}
