import { endsSession } from '../session-words.ts';
import { remembered } from './remembered.ts';
import {
  gluedVerbs,
  mildVerbs,
  nounVerbs,
  objects,
  selfSufficient,
  selfSufficientAlone,
  selfSufficientGlued,
  shortVerbs,
  valuedVerbs,
  verbs,
} from './words/english.ts';
import { endings, readingNouns, tellingStarts } from './words/harmless.ts';
import { latinEndings, latinGlued, latinWords, otherAlphabets } from './words/latin.ts';
import { decoded, folded, tokensOf } from './words/spelling.ts';
import { unspacedWords } from './words/unspaced.ts';

/** A word that says that something is done, instead of shown. */
export type Acting = {
  code: 'ends-session' | 'would-act';
  word: string;
  /** A name as well: it acts only where it stands as a command, or is given a value, too. */
  needs?: 'command' | 'value';
  /** It needs no object to do harm. */
  isSelfSufficient?: true;
};

const whole = (words: string): RegExp => new RegExp(`^(?:${words})$`, 'u');

const foreignVerb = whole(folded(`${latinWords}|${otherAlphabets}`).replaceAll('\\p{l}', '\\p{L}'));
const englishVerb = whole(verbs);
const verb = { test: (word: string) => englishVerb.test(word) || foreignVerb.test(word) };
const noun = whole(nounVerbs);
const valued = whole(valuedVerbs);
const self = whole(selfSufficient);
const selfGlued = new RegExp(`^(?:${selfSufficientGlued})\\p{L}{3,}$`, 'u');
const foreignGlued = new RegExp(
  `^(?:${latinGlued})(?!(?:${latinEndings})$)\\p{L}{3,}$|^\\p{L}{3,}(?:${latinGlued})$`,
  'u',
);
const selfAlone = whole(selfSufficientAlone);
const unspaced = new RegExp(unspacedWords.normalize('NFC'), 'u');
const reading = whole(readingNouns);
const telling = whole(tellingStarts);
const filler = '(?:as|to|the|all|my|this|your|from|for|by)?';
const anyObject = new RegExp(`^(?:${gluedVerbs})(?!(?:${endings})$)\\p{L}+$|^\\p{L}{2,}(?:${gluedVerbs})$`, 'u');
const knownObject = new RegExp(
  `^(?:${shortVerbs})${filler}(?:${objects})$|^(?:add|put)(?:to|in|into)?(?:my|your|the)?(?:cart|basket|bag|wishlist|favou?rites)$|^(?:${objects})(?:del|rm|drop|ban|reset|cancel|send|pay)$`,
  'u',
);
const anyWordOfObject = new RegExp(
  `^(?:as|to|the|a|an|all|my|this|your|from|for|by|of|in|on|and|selected|${objects})$`,
  'u',
);
const mildGlued = new RegExp(`^(?:${mildVerbs})${filler}(?:${objects})$`, 'u');
const mildAlone = whole(mildVerbs);

/** Longer names are headlines. */
const maxNameWords = 3;
/** Longer labels are sentences. */
const maxLabelWords = 5;

/** What the name of a page, a command or a field says that it does. */
export const actingInName = remembered((text): Acting | undefined => {
  const name = decoded(text);
  const ending = endsSession.exec(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))?.[0];
  if (ending !== undefined) return { code: 'ends-session', word: ending };
  const found = unspaced.exec(name.normalize('NFC'))?.[0];
  if (found !== undefined) return { code: 'would-act', word: found };
  return actingInTokens(tokensOf(name));
});

function actingInTokens(tokens: readonly string[]): Acting | undefined {
  const [first = '', ...others] = tokens;
  const last = tokens.at(-1) ?? '';
  if (others.length > 0 && (reading.test(last) || telling.test(first))) return undefined;
  const joined = tokens.join('');
  if (
    knownObject.test(joined) ||
    (tokens.length <= maxNameWords && tokens.some((token) => anyObject.test(token) || foreignGlued.test(token)))
  )
    return acting(tokens, joined);
  const isNear = (index: number) => index < 2 || index === tokens.length - 1;
  const index = tokens.findIndex((token, at) => verb.test(token) && isNear(at));
  const word = tokens[index];
  if (word === undefined) return undefined;
  if (last === 'now' || !(noun.test(word) || valued.test(word))) return acting(tokens, word);
  // "sales-report" and "order-form" are names.
  return tokens.length === 1 ? { ...acting(tokens, word), needs: valued.test(word) ? 'value' : 'command' } : undefined;
}

const acting = (tokens: readonly string[], word: string): Acting => ({
  code: 'would-act',
  word,
  ...([...tokens, word].some((token) => self.test(token) || selfGlued.test(token)) ||
  (tokens.length === 1 && selfAlone.test(word))
    ? { isSelfSufficient: true as const }
    : {}),
});

/** What stands on a control: short texts are commands, longer ones are headlines, and "Kill Bill" is a film. */
export function actingInLabel(text: string): Acting | undefined {
  const label = text.trim().replace(/\s+/g, ' ');
  const tokens = tokensOf(label);
  if (tokens.length > maxLabelWords) return undefined;
  const found = actingInName(label);
  const isWhole = found?.word === tokens.join('');
  if (!found || found.code === 'ends-session' || tokens.length < 2 || isWhole) return found;
  const [first = '', ...others] = tokens;
  const isCommand = englishVerb.test(first) && others.every((token) => anyWordOfObject.test(token));
  if (isCommand || (tokens.length <= maxNameWords && tokens.some((token) => foreignVerb.test(token)))) return found;
  return unspaced.test(label.normalize('NFC')) ? found : undefined;
}

/** A word of what shows a form as often as it acts: "add", "edit-user". */
export const mildIn = remembered((text): string | undefined => {
  const tokens = tokensOf(decoded(text));
  const joined = tokens.join('');
  if (mildGlued.test(joined)) return joined;
  return tokens.length <= maxNameWords
    ? [tokens[0] ?? '', tokens.at(-1) ?? ''].find((token) => mildAlone.test(token))
    : undefined;
});
