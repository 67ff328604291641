import { type Assertion, claim } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { distinctivePieces, onlyIn } from '../decisions/difference.ts';

/** Limits of applications close, or slow down, after three to ten wrong codes. */
export const guesses = 25;

/** What two refusals of a code have and its page has not. Undefined where that is nothing, or the server broke. */
export function refusalOf(refusals: readonly [Exchange, Exchange], page: Exchange): Assertion[] | undefined {
  const [first] = refusals;
  const pieces = distinctivePieces(onlyIn(refusals, [page]), /$^/);
  if (pieces.length === 0 || first.status >= 500) return undefined;
  return [
    claim('status', 'equals', String(first.status)),
    ...pieces.map((piece) => claim('body:masked', 'contains', piece)),
  ];
}

/** A later answer with words that the first ones lack may be that of a limit, in any language. */
export const saysMore = (answer: Exchange, first: readonly Exchange[]): boolean =>
  distinctivePieces(onlyIn([answer], first), /$^/).length > 0;
