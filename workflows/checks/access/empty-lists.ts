import { parseJson } from '../../model/json.ts';
import { isPrivateName, personalNames } from '../../proof/files/private-names.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import type { OwnerPlace } from './neighbour-owner.ts';

const isPersonal = (name: string): boolean =>
  isPrivateName(name) || Object.values(personalNames).some((pattern) => pattern.test(name));

/** Whether the answer is a list of records, which is empty for a new account. */
export const isListOfRecords = (text: string): boolean => Array.isArray(parseJson(text));

/**
 * What a list of somebody else holds of a person, where that of the user is empty or holds something else there.
 * @param elsewhere answers that the user is meant to see, or that anybody is given: a value that stands there is no evidence
 */
export function personalPlaces(own: string, neighbour: string, elsewhere: readonly string[]): OwnerPlace[] {
  const mine = membersOf(own);
  return membersOf(neighbour).flatMap(([name, value]): OwnerPlace[] => {
    if (!isPersonal(name) || typeof value !== 'string' || !personal.test(value)) return [];
    if ([own, ...elsewhere].some((text) => text.includes(value))) return [];
    const before = `"${escapePattern(name)}"\\s*:\\s*"`;
    const place = { before, pattern: `${before}([^"\\\\]{4,60})"`, owner: value };
    if (mine.length === 0) return [{ ...place, isOwnEmpty: true }];
    return firstMatch(place.pattern, own) === undefined ? [] : [place];
  });
}

const personal = /^[^"\\<>&]{4,60}$/;

function membersOf(text: string): [string, unknown][] {
  const list = parseJson(text);
  const records: unknown[] = Array.isArray(list) ? list : [];
  return records.flatMap((record) => (typeof record === 'object' && record !== null ? Object.entries(record) : []));
}
