import { isDeepStrictEqual } from 'node:util';
import { readJson } from '../../kit/json.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';

/** Core takes no longer secrets; a place is a few words. */
const maxLength = 16 * 1024;

/** Keeps, until the run ends and as secrets are kept, the places where a check showed facts: a replay goes straight to them. */
export async function keepPlaces(
  run: Run,
  checkId: string,
  places: ReadonlyMap<string, Candidate>,
  secrets: readonly string[],
): Promise<void> {
  for (const [factId, place] of places)
    if (mayBeKept(place, secrets)) await store.place.put(run, keyOfPlace(checkId, factId), place);
}

/** Several checks may show one fact, each at a place of its own. */
const keyOfPlace = (checkId: string, factId: string): string => `${checkId} ${factId}`;

/** What JSON does not hold whole, or holds a secret of a session, is looked for again: a replay has sessions of its own. */
export function mayBeKept(place: Candidate, secrets: readonly string[]): boolean {
  const text = JSON.stringify(place);
  const isSecret = secrets.some((secret) => text.includes(JSON.stringify(secret).slice(1, -1)));
  return !isSecret && text.length <= maxLength && isDeepStrictEqual(readJson(text), place);
}

/** Where a check showed a fact in this run; undefined when that was not kept. */
export const recallPlace = (run: Run, checkId: string, factId: string): Promise<Candidate | undefined> =>
  store.place.find(run, keyOfPlace(checkId, factId));
