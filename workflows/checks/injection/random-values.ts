import { escapePattern } from '../../proof/pattern.ts';

/** Tokens, nonces and keys have no fewer characters. */
const longWord = /[\w+/=-]{20,}/g;

/** A digit, or capitals among small letters, stand in most that were made by chance, and in few words. */
const isMixed = (word: string): boolean => /\d/.test(word) || (/[A-Z]/.test(word) && /[a-z]/.test(word));

/**
 * A text with one sign for each value that is likely to have been made by chance: a page that gives tokens anew each time is compared
 * without them, and one that gives none, where another gives one, is still another page.
 */
export const withoutRandomValues = (text: string): string =>
  text.replace(longWord, (word) => (isMixed(word) ? '*' : word));

/** A text without these words, in small letters or capitals. */
export const withoutWords = (text: string, words: readonly string[]): string =>
  words
    .filter((word) => word !== '')
    .reduce((left, word) => left.replace(new RegExp(escapePattern(word), 'gi'), ''), text);
