import type { Candidate } from '../../model/candidate.ts';
import type { PageSurface, Surface } from '../../model/surface.ts';
import { partRoute } from '../../probe/program-parts.ts';
import { type OmissionReporter, sample } from '../inputs/at-most.ts';

/** The shortest address first: most often the landing page, and the same in every scan. */
export const byAddress = (a: PageSurface, b: PageSurface): number =>
  a.url.length - b.url.length || (a.url < b.url ? -1 : 1);

/**
 * Pages that a browser shows, one of each route, the shortest address first.
 * @param kindOf what distinguishes pages of one route, of which so many kinds are given
 */
export function htmlPages(
  { pages }: Surface,
  kindOf = (_page: PageSurface): string => '',
  maxOfRoute = 1,
): PageSurface[] {
  const shown = pages.filter(({ status, contentType }) => status === 200 && /html/i.test(contentType));
  const routes = new Map<string, Map<string, PageSurface>>();
  for (const page of shown.toSorted(byAddress)) {
    const kinds = routes.get(partRoute(page.url)) ?? new Map<string, PageSurface>();
    routes.set(partRoute(page.url), kinds);
    const kind = kindOf(page);
    if (kinds.size < maxOfRoute && !kinds.has(kind)) kinds.set(kind, page);
  }
  return [...routes.values()].flatMap((kinds) => [...kinds.values()]);
}

/** All values of a header of a page, in order. */
export const valuesOf = ({ headers }: Pick<PageSurface, 'headers'>, name: string): string[] =>
  headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);

/** Places that one finding names; further pages of a site show nothing new about a setting of the whole site. */
const maxHeaderPlaces = 3;
/** Why some pages stand for all. */
export const oneSetting = 'headers are set for the whole site';

/** Some of the places that have a weakness which is a setting of the whole site. */
export const fewPlaces = <D>(context: OmissionReporter, places: readonly Candidate<D>[]): Candidate<D>[] =>
  sample(context, places, maxHeaderPlaces, 'places of the weakness', oneSetting);

/** A header of a page as a place. It is a setting of the site, so all pages are one finding. */
export const headerPlace = (url: string, parameter: string): Candidate => ({
  location: { url, parameter, parameterIn: 'header' },
  route: '/',
});
