import { parameterNames } from '../probe/parameter-names.ts';
import { normaliseRoute } from '../probe/routes.ts';
import { routeOf } from './asking.ts';
import { createComparison, enoughAlike, type PageLook } from './template.ts';

/**
 * Pages of one path with different parameters. Filters, orders and periods show one list in any number of combinations, each of
 * which is a set of names of its own.
 */
type ListViews = {
  /** Paths, and the names of parameters that each takes. */
  places(): number;
  /** Those of them that are parameters. */
  parameters(): number;
  add(url: URL): void;
  took(url: URL): void;
  saw(url: URL, look: PageLook | undefined): void;
  /** The last views of its path brought nothing, and all its names were sent there. */
  isKnown(url: URL): boolean;
};

type ViewedPath = {
  taken: Set<string>;
  combinations: Set<string>;
  comparison: ReturnType<typeof createComparison>;
  seen: number;
  /** How many of the last ones brought nothing. */
  barren: number;
};

/** With fewer combinations of names they are no views that can be combined. */
const fewCombinations = 3;
const enoughBarren = 5;

export function createViews(): ListViews {
  const paths = new Map<string, ViewedPath>();
  const places = new Set<string>();
  const parameters = new Set<string>();
  const pathOf = (url: URL): ViewedPath => {
    const route = routeOf(url);
    const path = paths.get(route) ?? {
      ...{ taken: new Set<string>(), combinations: new Set<string>() },
      ...{ comparison: createComparison(), seen: 0, barren: 0 },
    };
    paths.set(route, path);
    return path;
  };
  return {
    places: () => places.size + parameters.size,
    parameters: () => parameters.size,
    add(url) {
      const route = normaliseRoute(url.pathname);
      places.add(route);
      for (const name of parameterNames(url.searchParams)) parameters.add(`${route}?${name}`);
    },
    took(url) {
      const path = pathOf(url);
      const names = parameterNames(url.searchParams);
      path.combinations.add(names.join('&'));
      for (const name of names) path.taken.add(name);
    },
    saw(url, look) {
      if (!look) return;
      const path = pathOf(url);
      const isLikeOthers = path.comparison.add(look);
      path.seen += 1;
      path.barren = isLikeOthers && look.isBarren === true ? path.barren + 1 : 0;
    },
    isKnown(url) {
      const { taken, combinations, seen, barren } = pathOf(url);
      if (combinations.size < fewCombinations || seen < enoughAlike || barren < enoughBarren) return false;
      return parameterNames(url.searchParams).every((name) => taken.has(name));
    },
  };
}
