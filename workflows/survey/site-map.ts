import { create, type JsonValue, toJson } from '@bufbuild/protobuf';
import {
  type SiteMap,
  SiteMapSchema,
  type SiteRoute,
  SiteRouteSchema,
} from '../../proto/gen/scanaudit/v1/surface_pb.ts';
import type { Surface } from '../model/surface.ts';
import { normaliseRoute } from '../probe/routes.ts';

const maxRoutes = 2_000;
const maxInputs = 100;
const maxExamples = 20;
/** Characters of what routes and their inputs are called: readers take the maps of all visitors at once. */
const maxCharacters = 256 * 1024;

/** What a visitor saw of a site, as the run keeps it for readers. @param visitor "" has no login */
export const storedSiteMap = (surface: Surface, visitor: string): JsonValue =>
  toJson(SiteMapSchema, siteMapOf(surface, visitor));

function siteMapOf({ pages, inputs, calls, skipped }: Surface, visitor: string): SiteMap {
  const routes = new Map<string, SiteRoute>();
  const seenBy = [visitor];
  const routeOf = (method: string, route: string, url: string): SiteRoute => {
    const key = `${method} ${route}`;
    const known = routes.get(key) ?? create(SiteRouteSchema, { method, route, url, seenBy, unvisited: true });
    routes.set(key, known);
    return known;
  };
  for (const { url, status } of pages) {
    const route = routeOf('GET', normaliseRoute(url), url);
    if (route.unvisited) Object.assign(route, { url, status, unvisited: false });
  }
  for (const { method, url } of calls) routeOf(method, normaliseRoute(url), url);
  for (const { method, route: name, url, parameter, in: place, contentType = '', isDescribed } of inputs) {
    const route = routeOf(method, name, url);
    // A form on a page that was seen leads there.
    if (!isDescribed) route.unvisited = false;
    if (route.inputs.some((input) => input.name === parameter && input.in === place)) continue;
    if (route.inputs.length >= maxInputs) route.furtherInputs += 1;
    else route.inputs.push({ $typeName: 'scanaudit.v1.SiteInput', name: parameter, in: place, contentType, seenBy });
  }
  const sorted = [...routes.values()].toSorted((a, b) => compare(a.route, b.route) || compare(a.method, b.method));
  const shown = sorted.slice(0, fitting(sorted));
  const leftOut = [...Map.groupBy(skipped, ({ code }) => code)].map(([code, examples]) => ({
    code,
    reason: examples[0]?.reason ?? '',
    urls: examples.slice(0, maxExamples).map(({ url }) => url),
  }));
  return create(SiteMapSchema, {
    routes: shown,
    furtherRoutes: sorted.length - shown.length,
    leftOut: leftOut.toSorted((a, b) => compare(a.code, b.code)),
  });
}

/** How many of the first routes are listed. */
function fitting(routes: readonly SiteRoute[]): number {
  let left = maxCharacters;
  const end = routes.findIndex(({ route, url, inputs }) => {
    left -= route.length + url.length + inputs.reduce((sum, { name }) => sum + name.length, 0);
    return left < 0;
  });
  return Math.min(maxRoutes, end === -1 ? routes.length : end);
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);
