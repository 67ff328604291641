import { percentDecodedOrSame } from '../../../kit/percent.ts';
import type { Exchange } from '../../model/http.ts';
import { addressOfObject, isIdentifier } from '../sessions/objects.ts';
import type { Views } from './foreign-object.ts';
import { namesObject } from './list-names.ts';
import type { Parents, ShownObject } from './shown-objects.ts';

/**
 * The same objects below what is the reader's own: "/firms/2/bills/17" for "/firms/1/bills/17", of a reader who is led to
 * "/firms/2/bills/31". A program that asks whose the firm is may take the bill by its number alone.
 */
export function belowReadersOwn(shown: readonly ShownObject[]): ShownObject[] {
  return shown.flatMap((each) => {
    const { object, readersOwn, isPersonalKind } = each;
    if (object.in !== 'path' || readersOwn === undefined || !isPersonalKind) return [];
    const [own, theirs] = [segmentsOf(object.url), segmentsOf(readersOwn)];
    const at = Number(object.parameter);
    const differing = own.slice(0, at).flatMap((owner, index): Parents[] => {
      const reader = theirs[index] ?? '';
      return owner !== reader && isIdentifier(owner) && isIdentifier(reader) ? [{ owner, reader }] : [];
    });
    const parents = differing.at(-1);
    const from = theirs[at]?.replace(/\.\w{1,5}$/, '');
    if (!parents || from === undefined) return [];
    const url = addressOfObject(readersOwn, 'path', object.parameter, from, object.identifier);
    return url === object.url
      ? []
      : [{ ...each, object: { ...object, url }, below: { ownersUrl: object.url, parents } }];
  });
}

const segmentsOf = (url: string): string[] => new URL(url).pathname.split('/').map(percentDecodedOrSame);

const member = /"(\w{1,40})"\s{0,9}:\s{0,9}"?([\w-]{1,64})"?\s{0,9}[,}\]]/g;
const membersOf = ({ text }: Exchange) =>
  [...text.matchAll(member)].map(([written, name = '', value = '']) => ({ written, name, value }));

/** What an object in JSON says of what it stands below, as it stands there: the reader's own names the reader's in the same member. */
export function parentMembers(
  { owner, ownerAgain, reader, anonymous, readersOther, readersLists }: Views,
  parents: Parents,
  identifier: string,
): string[] {
  if (readersLists.some((list) => namesObject(list, identifier))) return [];
  const readers = readersOther.flatMap(membersOf);
  return membersOf(owner)
    .filter(({ value }) => value === parents.owner)
    .filter(({ name }) => readers.some((each) => each.name === name && each.value === parents.reader))
    .map(({ written }) => written)
    .filter((written) => [ownerAgain, reader].every(({ text }) => text.includes(written)))
    .filter((written) => [anonymous, ...readersOther].every(({ text }) => !text.includes(written)));
}
