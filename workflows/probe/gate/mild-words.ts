import { remembered } from './remembered.ts';
import { addingForeign } from './words/applied.ts';
import { filler, makingWords, mildVerbs, objects } from './words/english.ts';
import { decoded, folded, maxNameWords, tokensOf, whole } from './words/spelling.ts';

const making = whole(folded(makingWords));
const mildGlued = new RegExp(`^(?:${mildVerbs})${filler}(?:${objects})$`, 'u');
/** "run-history", "backup-policy": of these nouns none is an object of what stands before it. */
const aboutWhatWasDone = whole('history|polic(?:y|ies)|faqs?|help|guides?');
const mildAlone = whole(`${mildVerbs}|${folded(addingForeign)}`);
const letter = /\p{L}/u;

export const isMildWord = (word: string): boolean => mildAlone.test(word);

/** A word by which a page says that it makes something new: "post-new", "/notes/create". */
export const makingIn = (text: string): string | undefined => {
  const tokens = tokensOf(decoded(text));
  if (tokens.length === 0 || tokens.length > maxNameWords) return undefined;
  return [tokens[0] ?? '', tokens.at(-1) ?? ''].find((token) => making.test(token));
};

/** A word of what shows a form as often as it acts: "add", "edit-user". */
export const mildIn = (text: string): string | undefined => (letter.test(text) ? mildInText(text) : undefined);

const mildInText = remembered((text): string | undefined => {
  const tokens = tokensOf(decoded(text));
  const joined = tokens.join('');
  if (tokens.length > 1 && aboutWhatWasDone.test(tokens.at(-1) ?? '')) return undefined;
  if (mildGlued.test(joined)) return joined;
  return tokens.length <= maxNameWords
    ? [tokens[0] ?? '', tokens.at(-1) ?? ''].find((token) => isMildWord(token))
    : undefined;
});
