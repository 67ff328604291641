import type { Omission } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';
import { scopeOf } from '../probe/scope.ts';

type SeenSite = Pick<Surface, 'url' | 'origins' | 'pages' | 'skipped'>;

/** Addresses of another name, beside one page of this one: the site is there. */
const fewestElsewhere = 3;

/**
 * A site that answers with nothing but a redirect to another one, or most of which its pages lead to by another name of it, has not
 * been looked at, whatever the checks say of it.
 */
export function leadsElsewhere(seen: SeenSite): Omission[] {
  const scope = scopeOf(seen.url);
  const shown = seen.pages.filter(({ status, contentType }) => status === 200 && contentType === 'text/html');
  const [target] = seen.origins.flatMap(({ redirectsTo }) =>
    redirectsTo === undefined || scope.coversUrl(redirectsTo) ? [] : [new URL(redirectsTo).origin],
  );
  if (shown.length === 0 && target !== undefined) return [gap(`the site leads to ${target}: scan that address`)];
  const [origin, count] = otherName(seen);
  if (origin === undefined || count < fewestElsewhere) return [];
  const isMost = shown.length <= 1 || (isSameByName(seen.url, origin) && count > 2 * shown.length);
  return isMost ? [gap(`the pages name ${count} addresses of ${origin}: scan that address`)] : [];
}

const gap = (text: string): Omission => ({ code: 'leads_elsewhere', subject: 'survey', count: 1, text });

/** The origin by another name of the same site that most addresses of its pages have. */
function otherName({ url, skipped }: SeenSite): [origin: string | undefined, count: number] {
  const { hostname, port } = new URL(url);
  const others = skipped.flatMap((each) => {
    const other = new URL(each.url);
    // A program whose settings give it another name has that name at the port at which it listens.
    const isOfSite = areOfOneSite(hostname, other.hostname) || (port !== '' && port === other.port);
    return each.code === 'other-host' && isOfSite ? [other.origin] : [];
  });
  const counts = [...Map.groupBy(others, (origin) => origin)].map(([origin, { length }]) => [origin, length] as const);
  const [first] = counts.toSorted(([, a], [, b]) => b - a);
  return first ? [...first] : [undefined, 0];
}

/** With and without "www.", and names of the machine itself: one leads to the other. What stands below may be a site of its own. */
function isSameByName(url: string, origin: string): boolean {
  const [one, other] = [url, origin].map((each) => new URL(each).hostname.replace(/^www\./, ''));
  return one === other || (isOwnMachine(one ?? '') && isOwnMachine(other ?? ''));
}

/** Names below one another, as "www.shop.example" is below "shop.example", and names of the machine itself. */
const areOfOneSite = (one: string, other: string): boolean =>
  one.endsWith(`.${other}`) || other.endsWith(`.${one}`) || (isOwnMachine(one) && isOwnMachine(other));

const isOwnMachine = (hostname: string): boolean => /^(?:.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
