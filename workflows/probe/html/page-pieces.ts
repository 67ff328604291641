/** Shorter pieces stand on any page, longer ones are rarely repeated as they are. */
const minLength = 3;
const maxLength = 120;
const maxPieces = 3_000;

/**
 * The small parts that a text consists of, whatever it is: texts and tags of HTML, members of JSON, lines. Each once, and as it
 * stands there.
 */
export function piecesOf(text: string): string[] {
  const pieces = new Set<string>();
  for (const part of text.split(/[<>{}[\],\r\n\t]+/)) {
    const piece = part.trim();
    if (piece.length >= minLength && piece.length <= maxLength && !/[\p{Cc}‹›]/u.test(piece)) pieces.add(piece);
    if (pieces.size === maxPieces) break;
  }
  return [...pieces];
}

/** The pieces that a reader would recognise a page by: words before names and numbers before markup. */
export function clearest(pieces: readonly string[], count: number): string[] {
  return pieces
    .map((piece) => ({ piece, rank: rankOf(piece) }))
    .sort((a, b) => b.rank - a.rank || b.piece.length - a.piece.length)
    .slice(0, count)
    .map(({ piece }) => piece);
}

const rankOf = (piece: string): number => {
  if (/^[\p{L}][\p{L}\p{N} .'-]{3,59}$/u.test(piece)) return 3;
  if (/\p{L}{3}/u.test(piece) && !/[="/\\]/.test(piece)) return 2;
  return /[="/\\]/.test(piece) ? 0 : 1;
};
