import { percentDecoded } from '../../../kit/percent.ts';

/** "language=english", "level=medium": what opens a session is drawn, and has digits or is longer. */
const word = /^[a-z]{1,12}(?:[-_][a-z]{1,12})?$/i;
const base64 = /^[A-Za-z0-9+/_-]{8,}={0,2}$/;
/** Names and values of settings. In bytes that are drawn no two such words stand by chance. */
const readable = /(?<![a-z])[a-z]{4,}(?![a-z])/g;
const fewest = 2;
/** Serialized values have a good part of signs, lengths and bytes between them. */
const shareOfWords = 0.15;
/** Between the names and values of settings; no alphabet of what is drawn or signed has them. */
const separators = /[{":;,|&]/;

/** Whether the value of a cookie says what was chosen: a word, or settings that are percent-encoded, base64 or serialized. */
export function isChoice(value: string): boolean {
  if (word.test(value)) return true;
  const text = percentDecoded(value) ?? value;
  return (
    (separators.test(text) && says(text)) || (base64.test(text) && says(Buffer.from(text, 'base64').toString('latin1')))
  );
}

function says(text: string): boolean {
  const words = text.match(readable) ?? [];
  return words.length >= fewest && words.join('').length >= text.length * shareOfWords;
}
