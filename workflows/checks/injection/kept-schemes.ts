import { decodedText } from '../../probe/html/decoded-text.ts';
import type { Payload } from '../dom/xss-payloads.ts';

/** The scheme of an address of script in one spelling, up to the call. */
const schemeOf = ({ value }: Payload): string | undefined => /^[\w\p{Cc}&;:]+?(?=alert|self)/u.exec(value)?.[0];

/** The spellings of the scheme of script among payloads, each behind a word, to see which of them a filter leaves. */
export type SchemeQuestion = { text: string; isKept(page: string): (payload: Payload) => boolean };

/** @param mark a word that nothing else has */
export function askForSchemes(mark: string, payloads: readonly Payload[]): SchemeQuestion {
  const schemes = [...new Set(payloads.flatMap((payload) => schemeOf(payload) ?? []))];
  return {
    text: schemes.map((scheme, index) => ` ${mark}${index}-${scheme}`).join(''),
    isKept(page) {
      const shown = decodedText(page);
      // Browsers take controls and spaces in front away, and tabs anywhere.
      const comesBack = (index: number) =>
        shown
          .split(`${mark}${index}-`)
          .slice(1)
          .some((rest) => /^javascript:/i.test(rest.slice(0, 60).replace(/[\p{Cc} ]/gu, '')));
      const kept = schemes.filter((_, index) => comesBack(index));
      return (payload) => kept.includes(schemeOf(payload) ?? '');
    },
  };
}
