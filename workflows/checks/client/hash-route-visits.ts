import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { namesIn } from './address-names.ts';
import type { Entrance } from './entrances.ts';
import type { ScriptedPage } from './scripted-pages.ts';
import type { TracedVisit } from './traced-visit.ts';

const maxRoutes = 10;
const maxNames = 8;

/** A word in each parameter of the routes behind "#" that the application was seen to use. */
export function hashRouteVisits(context: CheckContext, { url, hashRoutes = [] }: ScriptedPage): TracedVisit[] {
  const home = url.split('#')[0] ?? '';
  const visits = hashRoutes.flatMap(({ fragment, scripts }): TracedVisit[] => {
    const { path, names } = partsOf(fragment);
    const all = [...new Set([...names, ...namesIn(context, scripts)])].slice(0, maxNames);
    const isNamed = names.length > 0 || scripts.length > 0;
    return isNamed && all.length > 0 ? [pairsVisit(context, home, path, all)] : [];
  });
  return likeliest(context, visits, maxRoutes, 'routes of the fragment');
}

function partsOf(fragment: string): { path: string; names: string[] } {
  const [path = '', query = ''] = fragment.split('?');
  return { path, names: [...new URLSearchParams(query).keys()] };
}

function pairsVisit({ nonce }: CheckContext, home: string, path: string, names: readonly string[]): TracedVisit {
  const pairs = names.map((name) => ({ before: `${path}?${name}=`, word: nonce() }));
  const words = new Map(
    pairs.map(({ before, word }): [string, Entrance] => [word, { in: 'fragment', pageUrl: home, before }]),
  );
  const query = pairs.map(({ word }, index) => `${names[index]}=${word}`).join('&');
  return { url: `${home}#${path}?${query}`, words };
}
