import { namesCommand } from './acting-query.ts';
import { objectLike } from './address-words.ts';
import { partsOf } from './parts.ts';
import { markedStates } from './words/english.ts';
import { tokensOf } from './words/spelling.ts';

const state = new RegExp(`^(?:${markedStates})$`, 'u');
const turned = new RegExp(`^(?:toggle|switch)(?:as|the)?(?:${markedStates})(?:state|status|flag)?$`, 'u');

/** "Toggle read" beside one thing turns that over; without one it shows or hides part of a list. @returns the words for it */
export function stateTurnedBy(label: string): string | undefined {
  const joined = tokensOf(label).join('');
  return turned.test(joined) ? joined : undefined;
}

/**
 * The state that an address calls for one thing, and its control has for an icon: "?c=entry&a=read&id=7" behind an envelope of the class
 * "read". "?action=read&id=7" behind an eye shows the thing.
 */
export function namedState(url: string, icons: string): string | undefined {
  const { parameters } = partsOf(url);
  if (!parameters.some(([, value]) => objectLike.test(value))) return undefined;
  const names = icons.toLowerCase().split(/[^a-z]+/);
  return parameters
    .filter(([name, value]) => namesCommand(name, value))
    .map(([, value]) => value.toLowerCase())
    .find((value) => state.test(value) && names.includes(value));
}
