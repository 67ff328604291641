import type { Exchange } from '../../model/http.ts';
import { clearest, piecesOf } from '../../probe/html/page-pieces.ts';

const maxMarkers = 3;

/**
 * What distinguishes some answers from others: pieces that all of the first have, and none of the second. A page's own noise is in none
 * of
 * these, as long as there are two answers of each kind.
 * @param sent values of ours, which pages repeat
 */
export function onlyIn(
  shown: readonly Exchange[],
  others: readonly Exchange[],
  sent: readonly string[] = [],
): string[] {
  const [first, ...further] = shown;
  if (!first) return [];
  const values = sent.filter(({ length }) => length > 1).map((value) => value.toLowerCase());
  return piecesOf(first.text).filter(
    (piece) =>
      further.every(({ text }) => text.includes(piece)) &&
      others.every(({ text }) => !text.includes(piece)) &&
      !values.some((value) => piece.toLowerCase().includes(value)),
  );
}

/** Those that a reader knows the page by; what is said of rights and sessions goes first. */
export function distinctivePieces(pieces: readonly string[], preferred: RegExp): string[] {
  const first = pieces.filter((piece) => preferred.test(piece));
  return [...clearest(first, maxMarkers), ...clearest(pieces, maxMarkers)]
    .filter((piece, index, all) => all.indexOf(piece) === index)
    .slice(0, maxMarkers);
}
