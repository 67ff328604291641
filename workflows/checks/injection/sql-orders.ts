import { piecesOf } from '../../probe/html/page-pieces.ts';
import { type Comparison, choice, opposite, same } from './sql-comparisons.ts';

/** A column as a site's own value names it, with a direction perhaps. */
const columnPattern = /^([a-z_]\w{0,40}(?:\.[a-z_]\w{0,40})?)(\s+(?:asc|desc))?$/i;
const directions = /^(?:asc|desc|ascending|descending|up|down|true|false)$/i;
/** A direction in the words of SQL is most likely put into the statement. */
const keywordPattern = /^(?:asc|desc)$/i;
const names = /sort|order|(?:^|[_-])by$|^(?:col|column)$/i;

/** An input that says by which column a list is ordered, by its name, with a value that can be one; or in which direction. */
export const ordersBy = (name: string, sample: string): boolean =>
  keywordPattern.test(sample) || (names.test(name) && columnPattern.test(sample) && !directions.test(sample));

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
  // As for directions: the rows come in two parts, or in one.
  const quotedText = (quote: string) => (condition: string) =>
    `${column}${quote}<(CASE WHEN ${condition} THEN '' ELSE 'M' END), ${quote}${column}${direction}`;
  const by = (whenTrue: string, whenFalse: string) => (condition: string) =>
    `(CASE WHEN ${condition} THEN ${column} END) ${whenTrue},${column} ${whenFalse},${column}${direction}`;
  // What stands before a direction is a column: multiplied by -1, numbers come the other way round.
  if (keywordPattern.test(value))
    return [
      either('a direction', (condition) => `*(CASE WHEN ${condition} THEN 1 ELSE -1 END) ${value}`),
      // Texts are divided at a letter, or not at all; more of them begin with a capital than not.
      either('the direction of texts', (condition) => `<(CASE WHEN ${condition} THEN '' ELSE 'M' END) ${value}`),
      // Where quotes are refused: a text with a space behind it comes where it came, and one with nothing known behind it anywhere.
      ...['CHAR', 'CHR'].map((name) =>
        either('the direction of texts', (condition) => `||(CASE WHEN ${condition} THEN ${name}(32) END) ${value}`),
      ),
      either(
        'the direction of texts',
        (condition) => `<(CASE WHEN ${condition} THEN CHAR(1) ELSE CHAR(77) END) ${value}`,
      ),
    ];
  return [
    either('the name of a column', (condition) => `(CASE WHEN ${condition} THEN ${column} END)${direction}`),
    // The order of nothing may be that of the column, too.
    either(
      'the name of a column of numbers',
      (condition) => `(CASE WHEN ${condition} THEN ${column} ELSE -${column} END)${direction}`,
    ),
    // Columns that are neither numbers nor out of order by themselves, in lists that go up and in those that go down.
    either('the name of a column, before another one', by('ASC', 'DESC')),
    either('the name of a column in a list that goes down', by('DESC', 'ASC')),
    // The last ones turn texts round without a quote or a comma: SQLite, MySQL and PostgreSQL.
    ...[`-${column}`, "'q'", `-unicode(${column})`, `-ascii(${column})`].map((otherwise) =>
      spaceless(column, otherwise, direction),
    ),
    either('the name of a column in double quotes', quoted('"')),
    either('the name of a column in backticks', quoted('`')),
    either('the name of a column of texts in double quotes', quotedText('"')),
    either('the name of a column of texts in backticks', quotedText('`')),
  ];
}

/** The same behind a filter that takes out or refuses spaces; the first for columns of numbers. */
const spaceless = (column: string, otherwise: string, direction: string): Comparison => ({
  where: 'the name of a column, behind a filter',
  whenTrue: (n) => choice('WHEN', same(n), column, `(${otherwise})`) + direction,
  whenFalse: (n) => choice('WHEN', opposite(n), column, `(${otherwise})`) + direction,
  broken: (n) => choice('WEHN', same(n), column, `(${otherwise})`) + direction,
});

export type OrderPair = readonly [first: string, second: string];

/** Pieces of a list that are looked at: two of them are enough. */
const maxPieces = 150;

/**
 * Two pieces that stand once in each of these texts: in one order in those that are kept, in the other order in those that are turned,
 * and not in the first order in any of the others, in which they may be missing. Undefined when there are none.
 */
export function turnedPair(
  kept: readonly [string, ...string[]],
  turned: readonly string[],
  others: readonly string[] = [],
): OrderPair | undefined {
  const texts = [...kept, ...turned];
  const isOnce = (text: string, piece: string) =>
    text.includes(piece) && text.indexOf(piece) === text.lastIndexOf(piece);
  const pieces = piecesOf(kept[0])
    .filter((piece) => /\p{L}{3}|\d{2}/u.test(piece) && texts.every((text) => isOnce(text, piece)))
    .slice(0, maxPieces);
  for (const first of pieces)
    for (const second of pieces)
      if (
        kept.every((text) => isInOrder(text, [first, second])) &&
        turned.every((text) => isInOrder(text, [second, first])) &&
        !others.some((text) => isInOrder(text, [first, second]))
      )
        return [first, second];
  return undefined;
}

/** Whether both stand in the text, in this order. */
const isInOrder = (text: string, [first, second]: OrderPair): boolean => {
  const at = text.indexOf(first);
  return at !== -1 && text.indexOf(second) > at;
};
