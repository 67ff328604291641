import { type Assertion, claim } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { visibleText } from '../../probe/html/text.ts';
import { distinctivePieces, onlyIn } from './difference.ts';

/** Claims that distinguish two kinds of answers: those that hold for the other kind, and those that hold for the same. */
export type AnswerKinds = { other: Assertion[]; same: Assertion[] };

const maxTextLength = 5_000;
const outlineOf = ({ status, header, request }: Exchange): string => {
  const target = header('location');
  return `${status} ${target === undefined ? '' : URL.parse(target, request.url)?.pathname}`;
};
const textOf = (exchange: Exchange): string =>
  `${outlineOf(exchange)} ${visibleText(exchange.text)
    .slice(0, maxTextLength)
    .replace(/[\s\d]+/g, ' ')}`;

/**
 * A test for answers that are of another kind than two of the same: by their text, or by status and redirect alone where the text
 * changes by itself. Undefined when the two differ.
 */
export function isOtherThan(same: readonly [Exchange, Exchange]): ((answer: Exchange) => boolean) | undefined {
  const look = [textOf, outlineOf].find((each) => each(same[0]) === each(same[1]));
  const known = look?.(same[0]);
  return look && ((answer) => look(answer) !== known);
}

/** Undefined when no claim can distinguish them. */
export function kindsOf(other: readonly Exchange[], same: readonly [Exchange, Exchange]): AnswerKinds | undefined {
  const status = String(same[0].status);
  if (other.every((each) => String(each.status) !== status))
    return { other: [claim('status', 'not-equals', status)], same: [claim('status', 'equals', status)] };
  const [lacking] = distinctivePieces(onlyIn(same, other), /$^/);
  if (lacking !== undefined)
    return {
      other: [claim('body:masked', 'not-contains', lacking)],
      same: [claim('body:masked', 'contains', lacking)],
    };
  const [own] = distinctivePieces(onlyIn(other, same), /$^/);
  if (own === undefined) return undefined;
  return { other: [claim('body:masked', 'contains', own)], same: [claim('body:masked', 'not-contains', own)] };
}
