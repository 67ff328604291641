import { parseJson } from '../../model/json.ts';
import { isPrivateName, personalNames } from '../../proof/files/private-names.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { OwnerPlace } from './neighbour-owner.ts';

const maxRecords = 20;
const isPersonal = (name: string): boolean =>
  isPrivateName(name) || Object.values(personalNames).some((pattern) => pattern.test(name));

/** Whether a user has none of what the answer lists, as a new account has. */
export function isEmptyList(text: string): boolean {
  const list = parseJson(text);
  return Array.isArray(list) && list.length === 0;
}

/**
 * What a list of somebody else holds of a person, where that of the user is empty.
 * @param elsewhere answers that the user is meant to see, or that anybody is given: a value that stands there is no evidence
 */
export function personalPlaces(neighbour: string, elsewhere: readonly string[]): OwnerPlace[] {
  const list = parseJson(neighbour);
  const records: unknown[] = Array.isArray(list) ? list.slice(0, maxRecords) : [];
  const members = records.flatMap((record) =>
    typeof record === 'object' && record !== null ? Object.entries(record) : [],
  );
  return members.flatMap(([name, value]: [string, unknown]): OwnerPlace[] => {
    if (!isPersonal(name) || typeof value !== 'string' || !/^[^"\\<>&]{4,60}$/.test(value)) return [];
    if (elsewhere.some((text) => text.includes(value))) return [];
    const before = `"${escapePattern(name)}"\\s*:\\s*"`;
    return [{ before, pattern: `${before}([^"\\\\]{4,60})"`, owner: value, isOwnEmpty: true }];
  });
}
