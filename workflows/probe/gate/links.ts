import type { Refused } from '../../model/gate.ts';
import type { PageLink } from '../../model/page-link.ts';
import { isAdding, isInstalling } from './adding.ts';
import { partsOf } from './parts.ts';
import { mayDo, refused } from './refusal.ts';
import { namedState, stateTurnedBy } from './turned-states.ts';
import { readAddress } from './urls.ts';
import { decoded, tokensOf } from './words/spelling.ts';
import { actingInLabel } from './words.ts';

/** Names of icons and of what styles them. */
const actingIcon =
  /(?:^|[^a-z])(?:trash|delete|remove|erase|destroy|garbage|dustbin|bin|danger|power-?off|log-?out|sign-?out|ban)(?:[^a-z]|$)/i;
/** Signs that stand for deleting, voting, liking, adding and taking away. */
const actingSigns = new Set('🗑❌✖✕✗✘×⛔🚫👍👎❤♥♡★☆▲▼⬆⬇➕➖+−-✓✔✅📌🔒🔓🚩🔕🔔');
const letter = /\p{L}/u;
/** Asks for a coloured form of the sign before it. */
const variation = '\uFE0F';

/** A title, under an address that repeats it: "Delete key" on "/wiki/Delete_key". */
function isNameOf(url: string, label: string): boolean {
  const name = tokensOf(decoded(partsOf(url).segments.at(-1) ?? ''));
  return name.length > 1 && name.join() === tokensOf(label).join();
}

/** Names of lists that a verb is spelt like. */
const lists = /^(?:archives?|reports?|issues?)$/i;

/** The label is the last name of the address, and that of a list. */
const isList = (url: string, label: string): boolean =>
  lists.test(label.trim()) && decoded(partsOf(url).segments.at(-1) ?? '').toLowerCase() === label.trim().toLowerCase();

/** A listing calls a file by its name: what that says the address says as well. */
const isFileName = (url: string, label: string): boolean =>
  /\.[a-z]\w{1,4}\/?$/i.test(label) && decoded(partsOf(url).segments.at(-1) ?? '') === label.trim().replace(/\/$/, '');

/** Verbs of the page of a form for a file, and one with the file: "Send a photo". */
const handsOver = /^(?:send|submit|attach)/;
function handsFileOver(label: string): boolean {
  const words = tokensOf(label);
  return words.length > 1 && handsOver.test(words[0] ?? '') && isInstalling(words.join(''));
}

/**
 * What a control says of itself, beside its address: its text, what it is called for those who do not see it, and its icon.
 * @param mayAdd where what adds something is allowed, the word for it that an address has as well says no more than the address, and
 *   what hands a file over leads to its form
 */
export function refusedByControl(
  { url, text, hints = '', icons = '', acts }: PageLink,
  mayAdd = false,
): Refused | undefined {
  if (acts === 'guards') return refused('one-time-token', 'it takes a token that forms of its page take');
  if (acts) return refused('would-act', 'its page sends it in another way than by a GET, or asks first');
  const address = readAddress(url);
  const isPlain = !address.hasQuery && !address.hasIdentifier;
  for (const label of [text, ...hints.split('\n')]) {
    // An address that does not say what it does is not explained by its title either.
    if (isPlain && ((!address.acting && isNameOf(url, label)) || isFileName(url, label))) continue;
    const turned = address.hasObject ? stateTurnedBy(label) : undefined;
    if (turned !== undefined) return refused('would-act', mayDo(turned));
    const acting = actingInLabel(label);
    if (!acting) continue;
    if (acting.code === 'ends-session') return refused('ends-session', `it may end a session: "${acting.word}"`);
    const saysNoMore = address.acting ? address.acting.word === acting.word : handsFileOver(label);
    if (mayAdd && isPlain && saysNoMore && (isAdding(acting.word) || handsOver.test(acting.word))) continue;
    // "Archive" on "/archive?year=2025" is what the list is called.
    const isOfList = address.showsPart && !address.acting && acting.needs === 'command' && isList(url, label);
    if (isOfList) continue;
    const isName = acting.needs !== undefined && (!address.hasObject || address.endsInIdentifier || /\d/.test(label));
    if (!isName) return refused('would-act', mayDo(acting.word));
  }
  if (isPlain) return undefined;
  const sign = text.replaceAll(variation, '').trim();
  const icon = actingSigns.has(sign)
    ? sign
    : (actingIcon.exec(icons)?.[0].replace(/[^a-z]/gi, '') ?? (letter.test(text) ? undefined : namedState(url, icons)));
  return icon === undefined ? undefined : refused('would-act', mayDo(icon));
}
