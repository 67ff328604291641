import { piecesOf } from './page-pieces.ts';
import type { Comparison } from './sql-comparisons.ts';

/** A column as a site's own value names it, with a direction perhaps. */
const columnPattern = /^([a-z_]\w{0,40}(?:\.[a-z_]\w{0,40})?)(\s+(?:asc|desc))?$/i;
const directions = /^(?:asc|desc|ascending|descending|up|down|true|false)$/i;
const names = /sort|order|(?:^|[_-])by$|^(?:col|column)$/i;

/** An input that says by which column a list is ordered: by its name, with a value that can be one. */
export const ordersBy = (name: string, sample: string): boolean =>
  names.test(name) && columnPattern.test(sample) && !directions.test(sample);

/**
 * Ways in which a column may stand in ORDER BY, the commonest first. With a true comparison the rows come in the column's order, with
 * a false one in that of nothing, or the other way round. Only the order changes, never what is selected.
 */
export function ordersFor(value: string): Comparison[] {
  const [, column = '', direction = ''] = columnPattern.exec(value) ?? [];
  if (column === '') return [];
  const either = (where: string, write: (condition: string) => string): Comparison => ({
    where,
    whenTrue: (n) => write(`${n} BETWEEN 1 AND 1${n}`),
    whenFalse: (n) => write(`1${n} BETWEEN 1 AND ${n}`),
    broken: (n) => write(`${n} BETWEN 1 AND 1${n}`),
  });
  const quoted = (quote: string) => (condition: string) =>
    `${column}${quote}*(CASE WHEN ${condition} THEN 1 ELSE -1 END), ${quote}${column}${direction}`;
  return [
    either('the name of a column', (condition) => `(CASE WHEN ${condition} THEN ${column} END)${direction}`),
    // The order of nothing may be that of the column, too.
    either(
      'the name of a column of numbers',
      (condition) => `(CASE WHEN ${condition} THEN ${column} ELSE -${column} END)${direction}`,
    ),
    either('the name of a column in double quotes', quoted('"')),
    either('the name of a column in backticks', quoted('`')),
  ];
}

/** Two pieces that stand once in either text, in one order here and in the other there; undefined when there are none. */
export function swapped(here: string, there: string): [first: string, second: string] | undefined {
  const isOnce = (text: string, piece: string) => text.indexOf(piece) === text.lastIndexOf(piece);
  const shared = piecesOf(here)
    .filter((piece) => /\p{L}{3}|\d{2}/u.test(piece) && there.includes(piece))
    .filter((piece) => isOnce(here, piece) && isOnce(there, piece))
    .toSorted((a, b) => here.indexOf(a) - here.indexOf(b));
  // Where any two are swapped, two neighbours are.
  const index = shared.findIndex((piece, at) => at > 0 && there.indexOf(piece) < there.indexOf(shared[at - 1] ?? ''));
  const [first, second] = [shared[index - 1], shared[index]];
  return first === undefined || second === undefined ? undefined : [first, second];
}

/** Whether both stand in the text, in this order. */
export const isInOrder = (text: string, [first, second]: readonly [string, string]): boolean =>
  text.includes(first) && text.indexOf(second) > text.indexOf(first);
