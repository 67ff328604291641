import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { escapePattern } from '../../proof/pattern.ts';
import type { CheckContext } from '../contract.ts';
import { addressOfObject, type ObjectAddress } from '../sessions/objects.ts';
import { isMailAddress, textsOf } from '../sessions/private-text.ts';
import { greetedNames } from './greeted-names.ts';
import { isOfContributor } from './neighbour-owner.ts';

type Side = { identity: Identity; pages: readonly Exchange[] };

/**
 * Texts that say more than whose the object is: profiles, lists of articles and comments name their author to everybody. A text says
 * no more when the reader's own pages have the same one about the reader, or nothing is left of it without the owner's name; of such a
 * text the owner's mail address is left.
 */
export function beyondNames(texts: readonly string[], owner: Side, reader: Side): string[] {
  const [owners, readers] = [namesOf(owner), namesOf(reader)];
  const readersTexts = new Set(reader.pages.flatMap((page) => pieces(page).map((each) => without(each, readers))));
  return texts.flatMap((text) => {
    const rest = without(text, owners);
    const saysMore = isMailAddress(text) || rest === text.trim() || (rest !== '' && !readersTexts.has(rest));
    return saysMore ? [text] : ownAddressIn(text, owners);
  });
}

/** The owner's mail address in a text, unless it says who wrote something: that of a customer is for who serves them. */
function ownAddressIn(text: string, owners: readonly string[]): string[] {
  const [address] = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/.exec(text) ?? [];
  if (address === undefined || isOfContributor(text.slice(0, text.indexOf(address)))) return [];
  const own = owners.map((name) => name.toLowerCase());
  const [local = ''] = address.toLowerCase().split('@');
  return own.includes(address.toLowerCase()) || own.includes(local) ? [address] : [];
}

const pieces = ({ text, header }: Exchange): string[] => [...textsOf(text, header('content-type') ?? '')];

/** Names of a user, the longest first. */
function namesOf({ identity: { userName = '' }, pages }: Side): string[] {
  // Pieces as well: a name ends where its element does.
  const names = [
    ...pages.flatMap((each) => [...greetedNames(each.text), ...pieces(each).flatMap(greetedNames)]),
    userName,
  ];
  return [...new Set(names)].filter(({ length }) => length >= 3).sort((a, b) => b.length - a.length);
}

const without = (text: string, names: readonly string[]): string => {
  const letter = '[\\p{L}\\d]';
  let rest = text;
  for (const name of names)
    rest = rest.replace(new RegExp(`(?<!${letter})${escapePattern(name)}(?!${letter})`, 'giu'), '');
  return rest.trim();
};

/** Numbers of objects are shorter on most sites. */
const fewestDigits = 7;
/** Numbers in a row: what is shown for every second or third one is found, too. */
const inARow = 4;

/**
 * Texts of the object that are not shown for numbers that name no object: what is shown for any of them depends on the number alone,
 * as the order of a list does. @throws ProbeError
 */
export async function ofTheObjectAlone(
  { http }: CheckContext,
  texts: readonly string[],
  object: ObjectAddress,
  { jar, headers }: Identity,
): Promise<string[]> {
  if (texts.length === 0 || object.in !== 'query' || !/^\d+$/.test(object.identifier)) return [...texts];
  const digits = Math.min(15, Math.max(fewestDigits, object.identifier.length));
  const first = Math.floor((0.5 + Math.random() * 0.4) * 10 ** digits);
  let left = [...texts];
  for (let number = first; number < first + inARow && left.length > 0; number += 1) {
    const url = addressOfObject(object.url, 'query', object.parameter, object.identifier, String(number));
    const { status, text } = await http.get(url, { fresh: true, jar, headers });
    if (status === 200) left = left.filter((each) => !text.includes(each));
  }
  return left;
}
