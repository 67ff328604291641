import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { isMailAddress } from '../sessions/private-text.ts';

/** What stands before a name in an answer, and the name that stands there. The user's own answer may have nothing of the kind. */
export type OwnerPlace = { before: string; pattern: string; owner: string; isNumber?: true; isOwnEmpty?: true };

/** The shorter ones are for what stands behind another value that differs. */
const contextLengths = [24, 14, 8, 6];
/** What a value is called stands before its markup. */
const labelLength = 60;
/** Anything that ends a value in a page, in JSON and in a text; a reference of HTML does, as of what stands in angle brackets. */
const value = '([^<>&"\\n\\r,;()!?]{3,60})';
/** What pages write where there is nobody, or everybody. */
const noName =
  /^(?:null|none|undefined|unknown|n\/?a|anonymous|guest|deleted|nobody|everybody|everyone|all|public|system|shared|team|true|false|-+|\s+)$/i;
/** Who wrote something or works on it may be named to all who may see it; who asked for something is named by an address to who serves them. */
const contribution =
  /(?:(?<!\b(?:opened|requested|ordered|booked|filed|reported|submitted|paid)\s{1,3})\bby|\b(?:author|writer|posted|written|assigned|assignee|reviewer|editor|seller|host|creator|sender|from|von|par|por|da|door)(?:_?\w{1,5})?)\W*$/i;
/** @param label what stands before a name */
export const isOfContributor = (label: string): boolean => contribution.test(label);
const requester = /\b(?:opened|requested|ordered|booked|filed|reported|submitted|paid)\s{1,3}by\W*$/i;
const maxPlaces = 40;

/**
 * Places of a user's own object at which their name stands, and the neighbouring one has another name: whose object it is. Names of
 * people alone are not enough where `mailOnly` is set.
 * @param elsewhere answers that the user is meant to see, or that anybody is given: a name that stands there is no evidence
 */
export function ownerPlaces(
  own: string,
  neighbour: string,
  names: readonly string[],
  { elsewhere, mailOnly }: { elsewhere: readonly string[]; mailOnly: boolean },
): OwnerPlace[] {
  const found: OwnerPlace[] = [];
  for (const at of occurrences(own, names)) {
    const place = contextLengths.flatMap((length) => differingAt(own, neighbour, at, names, length) ?? []).at(0);
    if (!place) continue;
    const { owner } = place;
    if (noName.test(owner) || (mailOnly && !isMailAddress(owner))) continue;
    if ([own, ...elsewhere].some((text) => text.includes(owner))) continue;
    found.push(place);
  }
  return found.toSorted((a, b) => Number(isMailAddress(b.owner)) - Number(isMailAddress(a.owner)));
}

/** "Tessa " before "Lund": a name stands there as a whole. */
const givenName = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’-]{1,30} $/u;
const maxGivenName = 40;

/** Where names stand; one that stands oftener is of the frame of the page. */
function occurrences(text: string, names: readonly string[]): number[] {
  const lower = text.toLowerCase();
  const found: number[] = [];
  for (const name of names.map((each) => each.toLowerCase()))
    for (
      let at = lower.indexOf(name);
      at !== -1 && found.length < maxPlaces;
      at = lower.indexOf(name, at + name.length)
    )
      found.push(at - (givenName.exec(text.slice(Math.max(0, at - maxGivenName), at))?.[0].length ?? 0));
  return found;
}

function differingAt(
  own: string,
  neighbour: string,
  at: number,
  names: readonly string[],
  length: number,
): OwnerPlace | undefined {
  const before = own.slice(Math.max(0, at - length), at);
  const label = own.slice(Math.max(0, at - labelLength), at).replace(/<[^<>]*>?/g, ' ');
  if (!/[\p{L}"'>=:]/u.test(before) || isOfContributor(label)) return undefined;
  const pattern = escapePattern(before) + value;
  const [name, theirs] = [nameIn(pattern, own), nameIn(pattern, neighbour)];
  if (name === undefined || theirs === undefined) return undefined;
  if (!isOneOf(name, names)) return undefined;
  if (theirs === name || isMailAddress(theirs) !== isMailAddress(name)) return undefined;
  if (requester.test(label) && !isMailAddress(theirs)) return undefined;
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .@_'+-]*$/u.test(theirs) || (theirs.includes(' ') && !name.includes(' ')))
    return undefined;
  // The first place in the page with these words before it is this one.
  if (own.indexOf(before) + before.length !== at) return undefined;
  return { pattern, before: escapePattern(before), owner: theirs };
}

/** "Ann Lee" is the whole name of "ann", and "ann.lee@example.org" may be her address: it stands in what is known to be hers. */
function isOneOf(name: string, names: readonly string[]): boolean {
  const lower = name.toLowerCase();
  const words = isMailAddress(lower) ? (lower.split('@', 1)[0] ?? '').split(/[._+-]/) : lower.split(' ');
  return names.some((each) => each.toLowerCase() === lower || words.includes(each.toLowerCase()));
}

/** "Hi Ann!" greets Ann. */
const nameIn = (pattern: string, text: string): string | undefined =>
  firstMatch(pattern, text)
    ?.groups[0]?.replace(/[.:]\s*$/, '')
    .trim();
