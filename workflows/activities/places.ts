import { isDeepStrictEqual } from 'node:util';
import { readJson } from '../../kit/json.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';

/** Core takes no longer secrets; a place is a few words. */
const maxLength = 16 * 1024;

/**
 * Keeps, until the run ends and as secrets are kept, the places where checks showed facts: a replay goes straight to
 * them. Only of checks without an identity: places of others may hold what belongs to a session.
 */
export async function keepPlaces(run: Run, places: ReadonlyMap<string, Candidate>): Promise<void> {
  for (const [factId, place] of places) {
    const text = JSON.stringify(place);
    // What JSON does not hold whole is looked for again.
    if (text.length <= maxLength && isDeepStrictEqual(readJson(text), place)) await store.place.put(run, factId, place);
  }
}

/** Where a check showed a fact in this run; undefined when that was not kept. */
export const recallPlace = (run: Run, factId: string): Promise<Candidate | undefined> => store.place.find(run, factId);
