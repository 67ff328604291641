import { escapePattern } from '../../proof/pattern.ts';
import type { OwnerPlace } from './neighbour-owner.ts';
import { listedKinds } from './private-kinds.ts';

/** Members of records that say by a number whose they are: `"customer_id": 31`. */
const member =
  /"((?:user|owner|account|customer|member|client|patient|student|employee)(?:_?id)?)"\s{0,3}:\s{0,3}"?(\d{1,15})"?\s{0,3}[,}]/gi;

const numbersIn = (text: string): [name: string, number: string][] =>
  [...text.matchAll(member)].map(([, name = '', number = '']) => [name, number]);

/** Whether all records of an answer say that they are the user's, by a number of the account. */
export function isOwnByNumber(text: string, numbers: readonly string[]): boolean {
  const found = numbersIn(text);
  return found.length > 0 && found.every(([, number]) => numbers.includes(number));
}

/**
 * Where records of a kind that belongs to one account say that they are somebody else's, each of them, and those of the user's own
 * answer say that they are theirs.
 */
export function ownerNumberPlaces(
  route: string,
  own: string,
  neighbour: string,
  numbers: readonly string[],
): OwnerPlace[] {
  if (!listedKinds.test(route) || !isOwnByNumber(own, numbers)) return [];
  const theirs = numbersIn(neighbour);
  const [first] = theirs;
  if (!first || theirs.some(([, number]) => numbers.includes(number))) return [];
  const [name, owner] = first;
  const before = `"${escapePattern(name)}"\\s*:\\s*"?`;
  return [{ before, pattern: `${before}(\\d{1,15})"?\\s*[,}]`, owner, isNumber: true }];
}
