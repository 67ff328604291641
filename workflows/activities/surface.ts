import { Depth } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { loginPages } from '../login/login-pages.ts';
import type { Identity } from '../model/identity.ts';
import type { Omitted } from '../model/omission.ts';
import type { ExploredPage, Surface } from '../model/surface.ts';
import { withGivenCookies } from '../observation/given-cookies.ts';
import type { Led } from '../observation/leads.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';
import type { Documented } from '../survey/documented-request.ts';
import { storedSiteMap } from '../survey/site-map.ts';
import { addedTo, unitedSurface } from '../survey/united.ts';
import type { ActivityTools } from './activity-tools.ts';
import { allowedWrites } from './allowed-writes.ts';
import type { AuditDeps } from './deps.ts';
import { masked } from './masking.ts';
import { valuesOf } from './scope-headers.ts';

/** What surveys of other visitors have found out for this one. */
type SeenByOthers = {
  explored: readonly ExploredPage[];
  missing: readonly string[];
  followsAlike?: boolean;
  foundOrigins?: Surface['origins'];
};

export type SurveyOnce = (tools: ActivityTools, identity?: Identity, others?: SeenByOthers) => Promise<Surface>;

export const lookWith =
  ({ survey }: AuditDeps, documented: readonly Documented[]): SurveyOnce =>
  async ({ run, context, probes, signal }, identity, others = { explored: [], missing: [] }) => {
    // What users see after the login may have no link to it on the start page, nor the login itself.
    const own = identity ? [identity.checkUrl] : await loginPages(run, context.url, context.logins);
    return survey({
      probes,
      url: context.url,
      startUrls: [...new Set([...context.startUrls, ...own])],
      excludedPaths: context.excludedPaths,
      documented,
      ...others,
      observes: context.depth === Depth.DEEP && allowedWrites(context) !== 'none',
      ...(identity === undefined ? {} : { identity }),
      signal,
    });
  };

/** Cookies of a live session are nobody's business; which page sets which is. */
export const withoutSession = (surface: Surface, secrets: readonly string[]): Surface => ({
  ...surface,
  origins: surface.origins.map((origin) => ({ ...origin, headers: masked(origin.headers, secrets) })),
  pages: surface.pages.map((page) => ({
    ...page,
    headers: masked(page.headers, secrets),
    setCookies: masked(page.setCookies, secrets),
  })),
});

/** Stores what a visitor was shown, without what is secret. */
export async function keepSurface({ run, probes }: ActivityTools, name: string, surface: Surface): Promise<Surface> {
  const kept = masked(surface, valuesOf(probes.scopeHeaders));
  await store.surface.put(run, name, kept);
  await store.siteMap.put(run, name, storedSiteMap(kept, name));
  return kept;
}

/** What the survey of this run saw, if there was one. */
export const findSurface = (run: Run, identity: string): Promise<Surface | undefined> =>
  store.surface.find(run, identity);

/**
 * Looks at what a visitor is led to besides what is stored of them, and stores both.
 * @returns with what is new, and what was left out; undefined when there is nothing
 */
export async function surveyFurther(
  { survey }: AuditDeps,
  tools: ActivityTools,
  { name, identity, known, explored, led, secrets }: FurtherSurvey,
): Promise<{ surface: Surface; added: Surface; omitted: Omitted[] } | undefined> {
  const { context, probes, signal } = tools;
  const seen = await survey({
    ...{ probes, known, signal, url: context.url, startUrls: led.urls, excludedPaths: context.excludedPaths },
    explored: [...known.explored, ...explored],
    forms: led.forms,
    again: led.again,
    observes: true,
    ...(identity === undefined ? {} : { identity }),
  });
  // What a session is given may be a secret of it.
  const further = identity === undefined ? withGivenCookies(seen, known, led) : seen;
  const { pages, forms, inputs, omitted, givenCookies = [] } = further;
  const found = [pages, forms, inputs, omitted, led.again, givenCookies];
  if (found.every(({ length }) => length === 0)) return undefined;
  const surface = await keepSurface(tools, name, unitedSurface(known, withoutSession(further, secrets)));
  return { surface, added: addedTo(known, surface), omitted: further.omitted };
}

type FurtherSurvey = {
  name: string;
  identity?: Identity | undefined;
  known: Surface;
  /** What surveys of others like this visitor have explored in the browser. */
  explored: readonly ExploredPage[];
  led: Led;
  /** Of the session. */
  secrets: readonly string[];
};
