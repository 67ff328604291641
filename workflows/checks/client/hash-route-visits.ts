import type { CheckContext } from '../contract.ts';
import { likeliest } from '../inputs/at-most.ts';
import { namesIn } from './address-names.ts';
import type { Entrance } from './entrances.ts';
import type { ScriptedPage } from './scripted-pages.ts';
import type { TracedVisit } from './traced-visit.ts';

const maxRoutes = 10;
const maxNames = 8;
const maxLastParts = 4;

/** A word in each parameter of the routes behind "#" that the application was seen to use. */
export function hashRouteVisits(context: CheckContext, { url, hashRoutes = [] }: ScriptedPage): TracedVisit[] {
  const home = url.split('#')[0] ?? '';
  const hasOwnNames = ({ fragment }: { fragment: string }) => partsOf(fragment).names.length > 0;
  const inOrder = [...hashRoutes.filter(hasOwnNames), ...hashRoutes.filter((route) => !hasOwnNames(route))];
  const visits = inOrder.flatMap(({ fragment, scripts }): TracedVisit[] => {
    const { path, names } = partsOf(fragment);
    const all = [...new Set([...names, ...namesIn(context, scripts)])].slice(0, maxNames);
    const isNamed = names.length > 0 || scripts.length > 0;
    return isNamed && all.length > 0 ? [pairsVisit(context, home, path, all)] : [];
  });
  return likeliest(context, visits, maxRoutes, 'routes of the fragment');
}

/** A word in the place of the last part of a fragment that links or routes are put together of: "#show/‹word›". */
export function lastPartVisits(context: CheckContext, { url, hashRoutes = [], fragments = [] }: ScriptedPage) {
  const home = url.split('#')[0] ?? '';
  const known = [...fragments, ...hashRoutes.map(({ fragment }) => fragment.replace(/\?.*$/s, ''))];
  const befores = new Set(known.flatMap((fragment) => /^(!?\/?[^/=:].*[/=:])[^/=:]+$/s.exec(fragment)?.[1] ?? []));
  const visits = [...befores].map((before): TracedVisit => {
    const word = context.nonce();
    return { url: `${home}#${before}${word}`, words: new Map([[word, { in: 'fragment', pageUrl: home, before }]]) };
  });
  return likeliest(context, visits, maxLastParts, 'kinds of fragments');
}

/** Names of the pairs that fragments of links consist of: "round=1&player=guest". */
export const pairNames = ({ fragments = [], hashRoutes = [] }: ScriptedPage): string[] =>
  [...fragments, ...hashRoutes.map(({ fragment }) => fragment)]
    .filter((fragment) => fragmentOfPairs.test(fragment))
    .flatMap((fragment) => [...new URLSearchParams(fragment).keys()]);

const fragmentOfPairs = /^\??[\w.-]{1,40}=[^&=]*(?:&[\w.-]{1,40}=[^&=]*)*$/;

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
