import type { SkipCode, Skipped } from '../../checks/contract.ts';
import type { Refused } from '../gate/types.ts';
import { normaliseRoute } from '../routes.ts';
import { excludedBy, type Scope } from '../scope.ts';

/** A URL to fetch, and where it was seen. */
export type Lead = { url: string; source: string };

export type Frontier = {
  /**
   * Takes a URL up when it is in scope, harmless and new enough.
   * @param refused what the control that leads there says of itself
   */
  add(lead: Lead, refused?: Refused): void;
  /** The next URL to fetch: those of routes not seen yet go first. */
  next(): Lead | undefined;
  /** URLs that were seen but will not be fetched; of many alike, one. */
  skipped(): Skipped[];
};

type Why = { code: SkipCode; reason: string };

const folded = (reason: string): Why => ({ code: 'folded', reason });

/** Pages of one shape (route and parameter names) that are fetched; they are made by the same code. */
const maxPerShape = 5;
/** Different pages below the same path: catalogues go on, endless ones end. */
const maxSiblings = 80;
const maxWaiting = 5_000;
const maxSkipped = 500;
const maxUrlLength = 2_048;
/** Real paths are shorter, and do not repeat themselves; what does is a loop of relative links. */
const maxSegments = 16;
const maxRepeats = 2;

/** What is only looked at, never as a page. */
const binary =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|woff2?|ttf|eot|otf|mp[34]|webm|avi|mov|zip|gz|tgz|bz2|7z|rar|exe|dmg|iso|pdf|docx?|xlsx?|pptx?|css|map)$/i;

/**
 * @param excludedPaths path prefixes that are never requested
 * @param refusalOf what the write gate says of asking for a URL
 */
export function createFrontier(
  scope: Scope,
  excludedPaths: readonly string[],
  refusalOf: (url: string) => Refused | undefined,
): Frontier {
  const seen = new Set<string>();
  const shapes = new Map<string, number>();
  const siblings = new Map<string, number>();
  const skipped = new Map<string, Skipped>();
  /** First of their shape, and the others. */
  const waiting: [Lead[], Lead[]] = [[], []];

  const skip = (url: string, { code, reason }: Why) => {
    if (skipped.size < maxSkipped) skipped.set(url, { url, code, reason });
  };
  const count = (counts: Map<string, number>, key: string) => {
    const next = (counts.get(key) ?? 0) + 1;
    counts.set(key, next);
    return next;
  };

  const reasonToSkip = (url: URL): Why | undefined => {
    if (excludedBy(excludedPaths, url.href) !== undefined) return { code: 'excluded', reason: 'the path is excluded' };
    if (!scope.coversUrl(url.href)) return { code: 'other-host', reason: 'another host' };
    if (url.href.length > maxUrlLength) return { code: 'url-too-long', reason: 'the URL is too long' };
    if (binary.test(url.pathname)) return { code: 'not-a-page', reason: 'not a page' };
    if (isLoop(url.pathname)) return { code: 'loop', reason: 'the path repeats itself' };
    return refusalOf(url.href);
  };

  return {
    add({ url: given, source }, refused) {
      if (!URL.canParse(given)) return;
      const url = new URL(given);
      url.hash = '';
      // The same path of another scheme or port of the host shows the same page.
      const key = scope.coversUrl(url.href) ? url.pathname + url.search : url.href;
      if (seen.has(key)) return;
      seen.add(key);
      const reason = reasonToSkip(url) ?? refused;
      if (reason !== undefined) return skip(url.href, reason);
      const ofShape = count(shapes, shapeOf(url));
      // One example says it; a shop would have thousands.
      if (ofShape > maxPerShape + 1) return;
      if (ofShape > maxPerShape) return skip(url.href, folded('enough pages of this kind were seen'));
      const ofFolder = count(siblings, parentOf(url));
      if (ofFolder > maxSiblings + 1) return;
      if (ofFolder > maxSiblings) return skip(url.href, folded('enough pages of this folder were seen'));
      const line = ofShape === 1 ? waiting[0] : waiting[1];
      if (line.length < maxWaiting) line.push({ url: url.href, source });
      else skip(url.href, { code: 'too-many', reason: 'too many pages' });
    },
    next: () => waiting[0].shift() ?? waiting[1].shift(),
    skipped: () => [
      ...skipped.values(),
      ...waiting
        .flat()
        .map(({ url }) => ({ url, code: 'budget' as const, reason: 'the budget was used up' }))
        .slice(0, maxSkipped),
    ],
  };
}

/** Route and parameter names: what one piece of code serves. */
function shapeOf(url: URL): string {
  return `${normaliseRoute(url.pathname)}?${[...new Set(url.searchParams.keys())].sort().join('&')}`;
}

const parentOf = (url: URL): string => normaliseRoute(url.pathname.replace(/[^/]*\/?$/, ''));

function isLoop(pathname: string): boolean {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > maxSegments) return true;
  return segments.some((segment) => segments.filter((other) => other === segment).length > maxRepeats);
}
