import type { Omitted } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';

type LeftSince = { omitted: Omitted[]; leave(omitted: Omitted): void };

/** What the last run of each check left out, by the surface that all slices of a family share. */
const before = new WeakMap<Surface, Map<string, Omitted[]>>();

/**
 * What a check leaves out. When it goes on where it was cut short it does not come again by what it has looked at, so that what it left
 * there counts; what it says again counts once. What the budget kept it from is what it goes on with.
 */
export function leftSince(surface: Surface, checkId: string): LeftSince {
  const ofChecks = before.get(surface) ?? new Map<string, Omitted[]>();
  before.set(surface, ofChecks);
  const omitted = (ofChecks.get(checkId) ?? []).filter(({ code }) => code !== 'budget');
  ofChecks.set(checkId, omitted);
  const known = omitted.map(textOf);
  return {
    omitted,
    leave(given) {
      const place = known.indexOf(textOf(given));
      if (place === -1) omitted.push(given);
      else known.splice(place, 1);
    },
  };
}

const textOf = ({ code, count, text }: Omitted): string => JSON.stringify([code, count, text]);
