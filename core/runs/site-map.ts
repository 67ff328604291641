import { create, fromJsonString } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type SiteInput,
  type SiteMap,
  SiteMapSchema,
  type SiteRoute,
} from '../../proto/gen/scanaudit/v1/surface_pb.ts';
import { artifactsOf } from './artifacts.ts';

const maxUrls = 20;

/** What all visitors of a run saw of the site. Without routes before the first of them has looked. */
export async function findSiteMap(tx: EntityManager, runId: string): Promise<SiteMap> {
  const contents = await artifactsOf(tx, runId, 'site-map');
  return united(
    contents.map((content) => fromJsonString(SiteMapSchema, content.toString('utf8'), { ignoreUnknownFields: true })),
  );
}

/** What several saw is there once, with all of their names. */
function united(maps: readonly SiteMap[]): SiteMap {
  const routes = Map.groupBy(
    maps.flatMap((map) => map.routes),
    ({ method, route }) => `${route} ${method}`,
  );
  const leftOut = Map.groupBy(
    maps.flatMap((map) => map.leftOut),
    ({ code }) => code,
  );
  return create(SiteMapSchema, {
    routes: [...routes].toSorted(byKey).flatMap(([, same]) => oneRoute(same)),
    furtherRoutes: Math.max(0, ...maps.map(({ furtherRoutes }) => furtherRoutes)),
    leftOut: [...leftOut].toSorted(byKey).flatMap(([, same]) =>
      same.slice(0, 1).map((first) => ({
        ...first,
        urls: [...new Set(same.flatMap(({ urls }) => urls))].slice(0, maxUrls),
      })),
    ),
  });
}

function oneRoute(same: readonly SiteRoute[]): SiteRoute[] {
  const first = same.find(({ unvisited }) => !unvisited) ?? same[0];
  if (!first) return [];
  const inputs = Map.groupBy(
    same.flatMap((route) => route.inputs),
    ({ name, in: place }) => `${place} ${name}`,
  );
  return [
    {
      ...first,
      seenBy: namesIn(same),
      inputs: [...inputs.values()].flatMap((each) =>
        each.slice(0, 1).map((input): SiteInput => ({ ...input, seenBy: namesIn(each) })),
      ),
      furtherInputs: Math.max(...same.map(({ furtherInputs }) => furtherInputs)),
    },
  ];
}

const namesIn = (seen: readonly { seenBy: string[] }[]): string[] => [...new Set(seen.flatMap(({ seenBy }) => seenBy))];

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => Number(a > b) - Number(a < b);
