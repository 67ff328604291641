import { decodedText } from '../../probe/html/decoded-text.ts';
import type { Reflection } from '../dom/reflection.ts';

/** The beginning of a tag stands behind all else, with a space behind it, so that what takes out tags finds none. */
const special = ['>', '"', "'", '`', '(', '\\', '/', '$', '{', '<', ' '];

/** A value with all signs that script needs, between two words. */
export const signsBetween = (begin: string, end: string): string => `${begin}${special.join('')}${end}`;

/** Whether a payload needs only signs that came back as they are. */
export type Survivors = (value: string) => boolean;

type SignsSent = {
  begin: string;
  end: string;
  reflections: readonly Reflection[];
  /** Tags come back, whatever becomes of a bracket that begins none. */
  hasTags?: boolean;
};

/** @param text a page that shows the value */
export function survivorsIn(text: string, { begin, end, reflections, hasTags = false }: SignsSent): Survivors {
  const between = text
    .split(begin)
    .slice(1)
    .map((rest) => rest.split(end)[0] ?? '');
  // What is cut or rebuilt as a whole shows nothing of single characters, but which of them have a backslash in front of them.
  if (!between.some((part) => part.length < 200 && text.includes(end))) {
    const parts = between.map((part) => part.slice(0, 2 * special.length));
    const escaped = parts.length === 0 ? [] : special.filter((char) => isEscaped(char, parts, reflections));
    return (value) => !escaped.some((char) => value.includes(char));
  }
  const isKept = (char: string) => (hasTags && /[<>]/.test(char)) || between.some((part) => part.includes(char));
  const lost = special.filter((char) => !isKept(char) || isEscaped(char, between, reflections));
  // In an event handler entities are characters again, and in a page within an attribute so are they all.
  const isPage = reflections.some((reflection) => reflection.kind === 'markup' && reflection.isEncoded);
  const isHandler = reflections.some(({ kind }) => kind === 'handler');
  const decoded = between.map(decodedText).join('');
  const missing = lost.filter((char) => !((isPage || (isHandler && `'"`.includes(char))) && decoded.includes(char)));
  // A filter that takes out tags takes "<" along; a payload without an end of tag may still pass.
  const tested = missing.filter((char) => char !== ' ' && char !== '/' && char !== '>');
  const hasDoubleDecoding = (value: string) => value.startsWith('%3C');
  return (value) => hasDoubleDecoding(value) || !tested.some((char) => value.includes(char));
}

/** The quote of the text of a script in which the value stands comes back as one of its signs, and so does a backslash in front of it. */
function isEscaped(char: string, between: readonly string[], reflections: readonly Reflection[]): boolean {
  const isTheirs = reflections.every((reflection) => reflection.kind === 'script' && reflection.state === char);
  return isTheirs && between.every((part) => part.includes(`\\${char}`) && part.includes('\\\\'));
}
