import type { ChoiceSurface, PageSurface } from '../model/surface.ts';
import { placesOf, routeAt } from './choices.ts';

/** Of the words of a choice so many are in a place that is the same choice of another list; all where it has fewer. */
const fewestShared = 3;

/** Places of other lists at whose addresses the words of a choice stand ("/author/new/4" as "/series/new/2"): no page marked one there. */
export function choicesLike(choice: ChoiceSurface, pages: readonly Pick<PageSurface, 'url'>[]): ChoiceSurface[] {
  const words = new Set(choice.values.filter((value) => /\D/.test(value)));
  const found = new Map<string, { place: string; route: string; urls: string[]; values: Set<string> }>();
  for (const { url } of pages)
    for (const [place, value] of placesOf(url)) {
      if (!words.has(value) || place.startsWith('?') !== choice.parameter.startsWith('?')) continue;
      const route = routeAt(url, place);
      const key = `${route} ${place}`;
      const known = found.get(key) ?? { place, route, urls: [], values: new Set() };
      found.set(key, known);
      known.urls.push(url);
      known.values.add(value);
    }
  return [...found.values()].flatMap(({ place, route, urls: [chosen, ...others], values }) =>
    chosen === undefined || words.size === 0 || values.size < Math.min(fewestShared, words.size)
      ? []
      : [{ pageUrl: chosen, route, parameter: place, chosen, others, values: choice.values }],
  );
}
