import { piecesOf } from '../../probe/html/page-pieces.ts';
import { firstMatch } from '../../proof/pattern.ts';

const maxSaid = 20;
/** Text without a gap: pages have scripts and images of a megabyte without one. */
const run = /[^\s<>{}[\],]+/g;
/** What a path of ours has in it, as it was sent or resolved. */
const ofPath = /\.\.|passwd|hosts|tsoh|\bversion\/|cpuinfo|ofnicpu|\/(?:etc|proc|usr)(?![a-z])/;
/** Stands for one; in few pages, and for nothing that says whether a file is there. */
const mark = '¶';

/** Texts of a page that another one lacks, whatever path they repeat, as patterns; at most 20. */
export function saidBesides(text: string, other: string): string[] {
  const known = new Set(patternsOf(other));
  const said: string[] = [];
  for (const pattern of patternsOf(text)) {
    if (said.length === maxSaid) break;
    if (!known.has(pattern) && firstMatch(pattern, other) === undefined) said.push(pattern);
  }
  return said;
}

const patternsOf = (text: string): string[] =>
  piecesOf(text.replaceAll(mark, '').replace(run, (word) => (ofPath.test(word) ? mark : word)))
    .filter((piece) => /\p{L}{3}/u.test(piece))
    .map(patternOf);

/** Paths, and sizes and times of files differ. */
const patternOf = (piece: string): string =>
  piece
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/\d+(?:[.,]\d+)*|\d+(?:\\\.\d+)*/g, '[\\d.,]+')
    .replaceAll(mark, '[^\\s<>]{1,400}');
