import { piecesOf } from '../../probe/html/page-pieces.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { unknownWord } from './answer-words.ts';
import { type DecidedPage, pageDecidedByErrors } from './decided-page.ts';
import type { Comparison } from './sql-comparisons.ts';
import { askerOf } from './sql-decision.ts';
import { givenValue } from './unparsable.ts';

type ExpressionSigns = readonly [open: string, close: string];

/** Jinja and Twig; Freemarker, Mako and EL; ERB, EJS and JSP; Slim, Pug and Thymeleaf. */
const signs: readonly ExpressionSigns[] = [
  ['{{', '}}'],
  ['${', '}'],
  ['<%=', '%>'],
  ['#{', '}'],
];

/** Expressions that no language can make sense of, in the signs of each. */
const unfinished = signs.map(([open]) => `${open} `).join('');

/**
 * How expressions behind a value decide whether a page is made at all, where nothing of them comes back. One request where no template
 * takes the value.
 * @throws ProbeError
 */
export async function templateFailureAt(context: CheckContext, input: OpenedInput): Promise<DecidedPage | undefined> {
  const value = givenValue(input);
  const ask = askerOf(context, input);
  const [own, failed] = [await ask(value), await ask(value + unfinished)];
  const lost = piecesOf(own.text).filter((piece) => !piece.includes(value) && !failed.text.includes(piece));
  if (lost.length === 0) return undefined;
  // A template is made with any word in its text.
  const longer = await ask(value + unknownWord);
  if (own.status !== longer.status || !lost.some((piece) => longer.text.includes(piece))) return undefined;
  const comparisons = [
    ...signs.map((each) => divided(value, each)),
    ...signs.slice(0, 1).map((each) => rounded(value, each)),
    ...signs.slice(1).map((each) => named(value, each)),
  ];
  return pageDecidedByErrors(ask, value, [{ value: value + unfinished, comparisons }]);
}

/** Zero can be divided by a number, and no number by zero. */
function divided(value: string, [open, close]: ExpressionSigns): Comparison {
  const expression = (text: string) => `${value}${open}${text}${close}`;
  return {
    where: `an expression in ${open} ${close}, in which a division by zero fails`,
    whenTrue: (n) => expression(`0/${n}`),
    whenFalse: (n) => expression(`${n}/0`),
    broken: (n) => expression(`0/)${n}`),
  };
}

/** JavaScript divides by zero. What a list does not have is undefined, and nothing can be taken of that. */
function named(value: string, [open, close]: ExpressionSigns): Comparison {
  const expression = (text: string) => `${value}${open}${text}${close}`;
  return {
    where: `an expression in ${open} ${close}, in which a member of nothing fails`,
    whenTrue: (n) => expression(`[[${n}]].q`),
    whenFalse: (n) => expression(`[].q[[${n}]]`),
    broken: (n) => expression(`[[${n})].q`),
  };
}

/** Nunjucks leaves members of nothing empty, too. Numbers of JavaScript are written with a hundred places at most. */
function rounded(value: string, [open, close]: ExpressionSigns): Comparison {
  const expression = (text: string) => `${value}${open}${text}${close}`;
  return {
    where: `an expression in ${open} ${close}, in which a number with too many places fails`,
    whenTrue: (n) => expression(`(1).toFixed(${n}-${n})`),
    whenFalse: (n) => expression(`(1).toFixed(1${n}-${n})`),
    broken: (n) => expression(`(1).toFixed(${n}-${n}`),
  };
}
