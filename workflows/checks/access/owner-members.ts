import type { Exchange } from '../../model/http.ts';
import type { Views } from './foreign-object.ts';
import { namesObject } from './list-names.ts';

/** Members by which an object says which account it is of. */
const owner =
  /"((?:user|owner|customer|account|member|client|patient|buyer|employee|student)(?:_?id|_?no|_?number)?)"\s{0,9}:\s{0,9}"?([\w-]{1,64})"?\s{0,9}[,}\]]/gi;

const membersOf = ({ text }: Exchange) =>
  [...text.matchAll(owner)].map(([written, name = '', value = '']) => ({ written, name, value }));

/**
 * What an object in JSON says of its owner, as it stands there, for instance `"userId":7,`: where the reader's own object of the kind
 * names another account in the same member, the object is the owner's, whatever else it holds.
 */
export function ownerMembers(
  { owner: ownersView, ownerAgain, reader, anonymous, readersOther, readersLists }: Views,
  identifier: string,
): string[] {
  if (readersLists.some((list) => namesObject(list, identifier))) return [];
  const readers = readersOther.flatMap(membersOf);
  return membersOf(ownersView)
    .filter(({ name, value }) => readers.some((each) => each.name === name && each.value !== value))
    .map(({ written }) => written)
    .filter((written) => [ownerAgain, reader].every(({ text }) => text.includes(written)))
    .filter((written) => [anonymous, ...readersOther].every(({ text }) => !text.includes(written)));
}
