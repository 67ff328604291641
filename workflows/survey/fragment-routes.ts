import { normaliseRoute } from '../probe/routes.ts';
import type { Naming } from './shells.ts';

/** Routes of an application's table, as addresses behind "#" once the application is seen to keep its routes there. */
export type FragmentRoutes = {
  /** An address with a route behind "#" that the application uses. */
  seen(route: string): void;
  table(urls: readonly string[], named: Naming): void;
};

const maxRoutes = 100;
/** Applications of one site that keep routes behind "#". */
const maxHomes = 2;

/** Routes behind "#" with the same parameters are drawn by the same script. @param fragment without "#" */
export function kindOfFragment(fragment: string): string {
  const [path = '', query = ''] = fragment.replace(/^!/, '').split('?');
  return JSON.stringify([normaliseRoute(path), [...new URLSearchParams(query).keys()].sort()]);
}

/** @param add is given each address once the page is known */
export function createFragmentRoutes(add: (url: string, named: Naming) => void): FragmentRoutes {
  /** Page and sign, "/#" or "/app#!". */
  const homes = new Set<string>();
  const routes = new Map<string, Naming>();
  return {
    seen(route) {
      const home = /^[^#]*#!?(?=\/)/.exec(route)?.[0];
      if (home === undefined || homes.has(home) || homes.size >= maxHomes) return;
      homes.add(home);
      for (const [path, named] of routes) add(home + path, named);
    },
    table(urls, named) {
      for (const path of urls.map((url) => new URL(url).pathname)) {
        if (routes.has(path) || routes.size >= maxRoutes) continue;
        routes.set(path, named);
        for (const home of homes) add(home + path, named);
      }
    },
  };
}
