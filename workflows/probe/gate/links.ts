import type { PageLink } from '../crawl/page.ts';
import { mayDo, refused } from './refusal.ts';
import type { Refused } from './types.ts';
import { readAddress } from './urls.ts';
import { actingInLabel } from './words.ts';

/** Names of icons and of what styles them. */
const actingIcon =
  /(?:^|[^a-z])(?:trash|delete|remove|erase|destroy|garbage|dustbin|bin|danger|power-?off|log-?out|sign-?out|ban)(?:[^a-z]|$)/i;
/** Signs that stand for deleting, voting, liking, adding and taking away. */
const actingSigns = new Set('🗑❌✖✕✗✘×⛔🚫👍👎❤♥♡★☆▲▼⬆⬇➕➖+−-✓✔✅📌🔒🔓🚩🔕🔔');
/** Asks for a coloured form of the sign before it. */
const variation = '\uFE0F';

/** What a control says of itself, beside its address: its text, what it is called for those who do not see it, and its icon. */
export function refusedByControl({ url, text, hints = '', icons = '', acts }: PageLink): Refused | undefined {
  if (acts) return refused('would-act', 'its page sends it in another way than by a GET, or asks first');
  const address = readAddress(url);
  const isPlain = !address.hasQuery && !address.hasIdentifier;
  for (const label of [text, ...hints.split('\n')]) {
    const acting = actingInLabel(label);
    if (!acting) continue;
    if (acting.code === 'ends-session') return refused('ends-session', `it may end a session: "${acting.word}"`);
    const isName = acting.needs !== undefined && (!address.hasObject || address.endsInIdentifier || /\d/.test(label));
    if (!isName) return refused('would-act', mayDo(acting.word));
  }
  if (isPlain) return undefined;
  const sign = text.replaceAll(variation, '').trim();
  const icon = actingSigns.has(sign) ? sign : actingIcon.exec(icons)?.[0].replace(/[^a-z]/gi, '');
  return icon === undefined ? undefined : refused('would-act', mayDo(icon));
}
