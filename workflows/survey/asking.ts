import type { Refused } from '../model/gate.ts';
import type { Skipped } from '../model/skipped.ts';
import { isOverlong, readAddress } from '../probe/gate/urls.ts';
import { parameterNames } from '../probe/parameter-names.ts';
import { parametersOf, pathIn } from '../probe/program-parts.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { excludedBy, type Scope } from '../probe/scope.ts';
import { isUnfilled } from './unfilled.ts';

export const maxUrlLength = 2_048;
/** Real paths are shorter, and do not repeat themselves; what does is a loop of relative links. */
const maxSegments = 16;
const maxRepeats = 2;
/** What a script compares addresses with, behind a sign that may be there or not: "/settings/mail/?.*". */
const pattern = /^\?\.[*+]\??\$?$/;

/** What is only looked at, never as a page. */
const binary =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|eot|otf|mp[34]|webm|avi|mov|zip|gz|tgz|bz2|7z|rar|exe|dmg|iso|pdf|docx?|xlsx?|pptx?|map)$/i;

/** Files that programs write from what they are asked for: badges and charts, invoices and exports. */
const oftenWritten = /\.(?:svg|pdf|docx?|xlsx?)$/i;
/** Sitemaps are served packed as often as not. Source: sitemaps.org protocol. */
const packedText = /\.(?:xml|txt)\.gz$/i;
/** A parameter by which browsers load a file anew instead of using their cache. */
const versionName = /^(?:v|ver|version|rev|hash|h|t|ts|_|cb|cache|build|time(?:stamp)?)$/i;

/** A file that only lies there takes no parameters. */
const isWritten = ({ pathname, searchParams }: URL): boolean =>
  oftenWritten.test(pathname) && [...searchParams].some(([name, value]) => value !== '' && !versionName.test(name));

type AskingBounds = {
  scope: Scope;
  /** Path prefixes that are never requested. */
  excludedPaths: readonly string[];
  /** What the write gate says of asking for a URL. */
  refusalOf: (url: string) => Refused | undefined;
};

/** Why a survey does not ask for a URL; undefined when it may. */
export function whyNot({ scope, excludedPaths, refusalOf }: AskingBounds, url: URL): Omit<Skipped, 'url'> | undefined {
  if (!scope.coversUrl(url.href)) return { code: 'other-host', reason: 'another host' };
  if (url.href.length > maxUrlLength) return { code: 'url-too-long', reason: 'the URL is too long' };
  if (excludedBy(excludedPaths, url.href) !== undefined) return { code: 'excluded', reason: 'the path is excluded' };
  if (binary.test(url.pathname) && !packedText.test(url.pathname) && !isWritten(url))
    return { code: 'not-a-page', reason: 'not a page' };
  if (isUnfilled(url.pathname)) return { code: 'loop', reason: 'a script has put no value into the path' };
  if (pattern.test(url.search)) return { code: 'loop', reason: 'it is a pattern for addresses' };
  if (isLoop(url.pathname)) return { code: 'loop', reason: 'the path repeats itself' };
  // The gate refuses it for what it may do, which was not worked out.
  if (isOverlong(url.href)) return { code: 'url-too-long', reason: 'the URL has too many parts' };
  return refusalOf(url.href);
}

/**
 * An address without anything to act on, whose path does not say that it acts: "Cancel" leads back to the list that the site's menu
 * leads to.
 */
export function isOverview({ href }: URL): boolean {
  const { acting, valued, mild, token, hasQuery, hasIdentifier } = readAddress(href);
  return !hasQuery && !hasIdentifier && [acting, valued, mild, token].every((word) => word === undefined);
}

/** Route and parameter names: what one piece of code serves. */
export function shapeOf(url: URL): string {
  return `${routeOf(url)}?${parameterNames(url.searchParams).join('&')}`;
}

/** The route of a page, with the one that a program with one address for all pages reads. */
export function routeOf(url: URL): string {
  const route = normaliseRoute(url.pathname);
  const inner = pathIn(parametersOf(url.href));
  return inner === undefined ? route : `${route}!${normaliseRoute(inner)}`;
}

/** The route of what an address stands below. */
export const parentOf = (url: URL): string => normaliseRoute(url.pathname.replace(/[^/]*\/?$/, ''));

function isLoop(pathname: string): boolean {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > maxSegments) return true;
  return segments.some((segment) => segments.filter((other) => other === segment).length > maxRepeats);
}
