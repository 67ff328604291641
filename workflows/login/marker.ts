import { endsSession } from '../probe/session-words.ts';

/** Answers of one page, which are compared to find who is logged in. */
export type PageAnswer = { status: number; text: string };

/** Shorter pieces of text stand on any page by chance; longer ones change too easily. */
const minLength = 4;
const maxLength = 120;
const maxPieces = 20_000;

/** Words that a page shows to people who are logged in, whatever it is about. The first group is preferred. */
const sessionWords = [endsSession, /account|profile|dashboard|konto|compte|cuenta|profil/i];

/**
 * A text that every authenticated answer has and no anonymous one does, or undefined when there is none.
 * @param authenticated at least two answers, so that what changes with each load is no marker
 * @param preferred texts that make the best marker, for instance the username
 * @param mustIdentify nothing is accepted but one of these, or a word that only people who are logged in are shown
 */
export function findMarker(
  authenticated: readonly PageAnswer[],
  anonymous: readonly PageAnswer[],
  preferred: readonly string[] = [],
  mustIdentify = false,
): string | undefined {
  const [first] = authenticated;
  if (first === undefined || authenticated.some(({ status }) => status >= 400)) return undefined;
  const distinguishes = (piece: string) => holds(piece, authenticated, anonymous);
  const pieces = ownPieces(authenticated, anonymous).filter(distinguishes);
  for (const word of sessionWords) {
    const piece = pieces.find((candidate) => word.test(candidate));
    if (piece !== undefined) return piece;
  }
  const name = preferred.find((text) => text.length >= minLength && distinguishes(text));
  if (name !== undefined || mustIdentify) return name;
  return pieces.toSorted(bestFirst)[0] ?? signOfList(authenticated, anonymous);
}

/** Of a list that is empty as yet, the sign that it begins with, where others are refused and told so without it. */
function signOfList(authenticated: readonly PageAnswer[], anonymous: readonly PageAnswer[]): string | undefined {
  const isList = authenticated.every(({ text }) => /^\s*\[/.test(text));
  const isRefused = anonymous.every(({ status, text }) => (status === 401 || status === 403) && !text.includes('['));
  return isList && isRefused && anonymous.length > 0 ? '[' : undefined;
}

const maxOthers = 5;

/** Further texts that only people who are logged in are shown, or that name the user, and that are no part of the marker or around it. */
export function otherMarkers(
  marker: string,
  authenticated: readonly PageAnswer[],
  anonymous: readonly PageAnswer[],
  preferred: readonly string[] = [],
): string[] {
  const pieces = ownPieces(authenticated, anonymous).filter((piece) => sessionWords.some((word) => word.test(piece)));
  return [...preferred.filter(({ length }) => length >= minLength), ...pieces]
    .filter((piece) => holds(piece, authenticated, anonymous))
    .filter((piece) => !piece.includes(marker) && !marker.includes(piece))
    .slice(0, maxOthers);
}

/** Whether the marker distinguishes authenticated answers from anonymous ones. */
export function holds(marker: string, authenticated: readonly PageAnswer[], anonymous: readonly PageAnswer[]): boolean {
  return (
    marker !== '' &&
    authenticated.length > 0 &&
    authenticated.every(({ status, text }) => status < 400 && text.includes(marker)) &&
    anonymous.every(({ text }) => !text.includes(marker))
  );
}

/** Pieces of each kind that are searched for in whole answers. */
const maxSearched = 150;

/** Pieces that every authenticated answer is made of, and no anonymous one. */
function ownPieces([first, ...others]: readonly PageAnswer[], anonymous: readonly PageAnswer[]): string[] {
  const shared = others.map(({ text }) => new Set(piecesOf(text)));
  const foreign = anonymous.map(({ text }) => new Set(piecesOf(text)));
  const own = piecesOf(first?.text ?? '').filter(
    (piece) => shared.every((pieces) => pieces.has(piece)) && !foreign.some((pieces) => pieces.has(piece)),
  );
  const { true: preferred = [], false: rest = [] } = Object.groupBy(own, (piece) =>
    sessionWords.some((word) => word.test(piece)) ? 'true' : 'false',
  );
  return [...preferred.slice(0, maxSearched), ...rest.toSorted(bestFirst).slice(0, maxSearched)];
}

/** Texts, attribute values and JSON strings of an answer, each once, in order. */
function piecesOf(text: string): string[] {
  const pieces = new Set<string>();
  for (const piece of text.split(/[<>"'\n\r{}[\]]/)) {
    const trimmed = piece.trim();
    if (trimmed.length >= minLength && trimmed.length <= maxLength) pieces.add(trimmed);
    if (pieces.size === maxPieces) break;
  }
  return [...pieces];
}

const bestFirst = (a: string, b: string): number => digitsIn(a) - digitsIn(b) || b.length - a.length;

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;
