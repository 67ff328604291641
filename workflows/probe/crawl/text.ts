import robotsParser from 'robots-parser';
import { parseJson } from '../json.ts';
import { resolve } from './page.ts';

const maxFound = 300;
const maxSitemaps = 10;

/** Quoted paths such as "/api/orders" in script: hints at an API that no link leads to. */
const quotedPath = /["'`](\/[a-zA-Z0-9_][a-zA-Z0-9_\-./]{0,200}(?:\?[a-zA-Z0-9_\-.=&%]{0,200})?)["'`]/g;
const sitemapPlace = /<loc>\s*([^<\s]{1,2048})\s*<\/loc>/g;
/** Robots rules without wildcards name paths that exist. */
const robotsPath = /^[ \t]*(?:dis)?allow[ \t]*:[ \t]*(\/[^\s*$#]{1,512})[ \t]*$/gim;

const all = (pattern: RegExp, text: string, base: string): string[] =>
  [...text.matchAll(pattern)].slice(0, maxFound).flatMap(([, found = '']) => resolve(found, base) ?? []);

/** A call that sends its address something, by what stands right before and behind it: `axios.post("…`, `fetch("…", {method: "POST"`. */
const sendingBefore =
  /(?:\.\s*(?:post|put|patch|delete|sendBeacon)\s*\(\s*|\b(?:open|request|ajax)\s*\(\s*["'`](?:POST|PUT|PATCH|DELETE)["'`]\s*,\s*)$/i;
const sendingBehind = /^["'`]\s*,\s*\{[^{}]{0,200}?\b(?:method|type)["'`]?\s*:\s*["'`](?:POST|PUT|PATCH|DELETE)\b/i;
const aroundLength = 300;
/** Questions to such an address are POSTs, too. */
const isGraphQl = (path = ''): boolean => /\/(?:graphql|gql)$/i.test(path);

/** Paths of the same origin that script mentions, but for those that it only sends something to. */
export const linksInScript = (script: string, base: string): string[] => {
  const isSent = ({ index, 0: quoted }: RegExpExecArray): boolean => {
    const end = index + quoted.length - 1;
    return (
      sendingBefore.test(script.slice(Math.max(0, index - 60), index)) ||
      sendingBehind.test(script.slice(end, end + aroundLength))
    );
  };
  const found = [...script.matchAll(quotedPath)].filter((match) => isGraphQl(match[1]) || !isSent(match));
  return found.slice(0, maxFound).flatMap(([, path = '']) => resolve(path, base) ?? []);
};

/** Pages of a sitemap; for an index, further sitemaps. Source: sitemaps.org protocol. */
export const linksInSitemap = (xml: string, base: string): string[] =>
  all(sitemapPlace, xml.replaceAll('&amp;', '&'), base);

/** What robots.txt gives away: it is read to find pages, not as a rule for an audit that the owner asked for. RFC 9309. */
export function linksInRobots(text: string, base: string): { paths: string[]; sitemaps: string[] } {
  const sitemaps = robots(base, text).getSitemaps().slice(0, maxSitemaps);
  return { paths: all(robotsPath, text, base), sitemaps: sitemaps.flatMap((place) => resolve(place, base) ?? []) };
}

/** The package's declaration does not say that its function is the module itself. */
const robots = robotsParser as unknown as (url: string, text: string) => { getSitemaps(): string[] };

/** Links in JSON: values that are URLs or absolute paths. */
export function linksInJson(text: string, base: string): string[] {
  const found: string[] = [];
  const pending: unknown[] = [parseJson(text)];
  for (let visited = 0; pending.length > 0 && visited < 10_000 && found.length < maxFound; visited++) {
    const value = pending.pop();
    if (typeof value === 'string') {
      if (/^(?:https?:\/\/|\/[a-z0-9_])\S{0,2000}$/i.test(value)) found.push(...[resolve(value, base) ?? []].flat());
    } else if (typeof value === 'object' && value !== null) pending.push(...Object.values(value).slice(0, 1000));
  }
  return found;
}
