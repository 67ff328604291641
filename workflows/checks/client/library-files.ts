import { createHash } from 'node:crypto';
import type { Exchange } from '../../model/http.ts';
import { firstMatch, type Match } from '../../proof/pattern.ts';
import type { LibraryData, LibraryMarks } from '../library-data.ts';

/** What shows that a file holds a version of a library: a text in it that nothing else has, or the digest of the whole. */
export type FileMark = { library: string; version: string } & ({ text: string } | { sha1: string });

/** A shorter piece of a pattern stands in too many files to look around each. */
const minLiteralLength = 6;
/** Places in one file that a pattern is tried at, and characters on each side of them that it sees. */
const maxPlaces = 10;
const surroundings = 400;
/** Code that follows a banner; without it, the banner is a mention of the library. */
const minCodeLength = 2_000;

/** Versions of libraries that the bytes of a script show, one for each library. */
export function librariesIn(data: LibraryData, { text, body }: Pick<Exchange, 'text' | 'body'>): FileMark[] {
  const sha1 = createHash('sha1').update(body).digest('hex');
  return data.marks.flatMap(({ library, patterns, hashes }): FileMark[] => {
    const version = Object.hasOwn(hashes, sha1) ? hashes[sha1] : undefined;
    if (version !== undefined) return [{ library, version, sha1 }];
    const found = byText(text, patterns);
    return found ? [{ library, ...found }] : [];
  });
}

function byText(text: string, patterns: LibraryMarks['patterns']): { version: string; text: string } | undefined {
  for (const pattern of patterns) {
    const literal = longestLiteral(pattern);
    if (literal.length < minLiteralLength) continue;
    for (const place of placesOf(text, literal)) {
      const start = Math.max(0, place - surroundings);
      const match = tried(pattern, text.slice(start, place + literal.length + surroundings));
      const [version] = match?.groups ?? [];
      if (!match || version === undefined || !isCode(text, text.indexOf(match.text, start))) continue;
      // One line can be searched for with any tool.
      const line = match.text.split('\n').find((each) => each.includes(version));
      if (line !== undefined && !line.includes('‹')) return { version: version.replace(/[.-]min$/, ''), text: line };
    }
  }
  return undefined;
}

/** Some patterns look back to what they have matched: those cannot be tried in linear time, and are skipped. */
function tried(pattern: string, text: string): Match | undefined {
  try {
    return firstMatch(pattern, text);
  } catch {
    return undefined;
  }
}

function placesOf(text: string, literal: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(literal); at !== -1 && places.length < maxPlaces; at = text.indexOf(literal, at + 1))
    places.push(at);
  return places;
}

/** A mark in a comment counts when the comment begins with it, and the code it is the banner of follows. */
function isCode(text: string, at: number): boolean {
  const opening = text.lastIndexOf('/*', at + 1);
  const closing = text.indexOf('*/', opening + 2);
  const isInComment = opening !== -1 && (closing === -1 || closing > at);
  if (!isInComment)
    return !/(?:^|\s)\/\//.test(text.slice(text.lastIndexOf('\n', at) + 1, at + 2).slice(-surroundings));
  if (closing === -1 || /[^\s*!]/.test(text.slice(opening + 2, Math.max(at, opening + 2)))) return false;
  const next = text.indexOf('/*!', closing);
  return (next === -1 ? text.length : next) - closing >= minCodeLength;
}

/** The longest text that everything which matches has in it; "" when the pattern has alternatives. */
export function longestLiteral(pattern: string): string {
  const pieces = [''];
  let depth = 0;
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\{[\d,]+\}|[\s\S]/g)) {
    if (token === '|') return '';
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    const isOptional = /^[?*{]/.test(token);
    if (isOptional) pieces.push((pieces.pop() ?? '').slice(0, -1));
    const char =
      token.length === 1 ? (/[()?*+.^$[\]{}]/.test(token) ? '' : token) : (/^\\(\W)$/.exec(token)?.[1] ?? '');
    if (char === '' || depth > 0) pieces.push('');
    else pieces.push((pieces.pop() ?? '') + char);
  }
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');
}
