import { percentDecodedOrSame } from '../../../../kit/percent.ts';

/** Small letters without accents, so that one spelling of a word stands for all: "Löschen" is "loschen", "USUŃ" is "usun". */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[łøđðßæœıς]/g, (letter) => plain[letter] ?? letter);

const plain: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
};

/** Percent-decoded as often as servers may do it; what cannot be decoded stays. */
export function decoded(text: string): string {
  let before = text.replaceAll('+', ' ');
  for (let times = 0; times < 2; times += 1) {
    const after = percentDecodedOrSame(before);
    if (after === before) break;
    before = after;
  }
  return before;
}

/** The words of a name: "deleteUser_byID" is "delete", "user", "by", "id". */
export const tokensOf = (text: string): string[] =>
  folded(text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'))
    .split(/[^\p{L}]+/u)
    .filter((token) => token !== '');

/** Longer names are headlines. */
export const maxNameWords = 3;

/** One of these words, and nothing else. */
export const whole = (words: string): RegExp => new RegExp(`^(?:${words})$`, 'u');
