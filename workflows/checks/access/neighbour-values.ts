import { isPrivateName } from '../../proof/files/private-names.ts';
import { escapePattern, firstMatch } from '../../proof/pattern.ts';
import { valuesBehind } from './labelled-values.ts';
import type { OwnerPlace } from './neighbour-owner.ts';

/** Pay is private, as is what `isPrivateName` knows. */
const pay = /(?:^|_)(?:salary|wages?|income|pay)(?:$|_)/i;
const contextLengths = [24, 14, 8, 6];
const value = '([^<>"\\n\\r;]{3,60})';
const hidden = /^(?:[*•·.x\s-]+|null|none|undefined|unknown|n\/?a|true|false)$/i;

/**
 * Places of a page about a user at which something stands that no page shows of others on purpose (a balance, a salary, a key), and
 * the page about somebody else has another value.
 * @param elsewhere answers that the user is meant to see: a value that stands there is no evidence
 */
export function privateValuePlaces(own: string, neighbour: string, elsewhere: readonly string[]): OwnerPlace[] {
  const found: OwnerPlace[] = [];
  for (const at of valuesBehind(own, isPrivateLabel)) {
    const place = contextLengths.flatMap((length) => differingAt(own, neighbour, at, length) ?? []).at(0);
    if (place && ![own, ...elsewhere].some((text) => text.includes(place.owner))) found.push(place);
  }
  return found;
}

function isPrivateLabel(text: string): boolean {
  const name = text.replace(/^(?:your|my|the)\s+|\s+is$/gi, '').replace(/[\s'-]+/g, '_');
  return isPrivateName(name) || pay.test(name);
}

function differingAt(own: string, neighbour: string, at: number, length: number): OwnerPlace | undefined {
  const text = own.slice(Math.max(0, at - length), at);
  const before = escapePattern(text);
  const pattern = before + value;
  const [mine, theirs] = [own, neighbour].map((each) => firstMatch(pattern, each)?.groups[0]?.trim());
  if (own.indexOf(text) + text.length !== at || mine === undefined || theirs === undefined) return undefined;
  return mine === theirs || hidden.test(theirs) ? undefined : { pattern, before, owner: theirs };
}
