import { randomInt } from 'node:crypto';

/**
 * A value that continues the condition that it stands in by a comparison of ours, for one way of standing in a statement.
 * The true and the false one have the same words: only a database distinguishes them. The broken one has a misspelt keyword.
 */
export type Comparison = {
  /** Where the value stands in the statement, for the reader. */
  where: string;
  whenTrue(number: string): string;
  whenFalse(number: string): string;
  broken(number: string): string;
};

/**
 * Ways in which a value may stand in a statement, the commonest first. Conditions are only ever narrowed (AND), never widened:
 * a statement that changes data would change less than it is meant to.
 */
export function comparisonsFor(value: string): Comparison[] {
  if (isOperator(value)) return asOperator(value);
  const quoted = (where: string, quote: string, wildcard: string, close: string) => {
    const open = close === ')' ? '(' : '';
    const before = `${value}${wildcard}${quote}${close} AND ${open}`;
    // The statement's own quote ends the last text.
    return texts(where, before, quote);
  };
  const strings = [
    quoted('a quoted text', "'", '', ''),
    quoted('a quoted text with wildcards', "'", '%', ''),
    quoted('a quoted text in parentheses', "'", '', ')'),
    quoted('a quoted text with wildcards in parentheses', "'", '%', ')'),
    quoted('a text in double quotes', '"', '', ''),
    quoted('a text in double quotes with wildcards', '"', '%', ''),
    ...unfiltered(value),
  ];
  const difference = asDifference(value);
  const [plain, , enclosed, , inDouble] = strings;
  if (difference === undefined)
    return columnPattern.test(value) ? [...strings, asColumn(value), asTable(value)] : strings;
  if (value.includes(',')) return [numbers('a list of numbers in parentheses', `${difference}) AND (`, ''), ...strings];
  // A number that fits nothing: as a limit it leaves nothing either.
  const other = (n: string) => (Number(value) === 0 ? `1${n}` : '0');
  return [
    numbers('a number', `${difference} AND `, ''),
    ...(plain ? [plain] : []),
    numbers('a number in parentheses', `${difference}) AND (`, ''),
    ...(enclosed ? [enclosed] : []),
    ...(inDouble ? [inDouble] : []),
    {
      where: 'a number of an expression',
      whenTrue: (n) => choice('WHEN', same(n), difference, `(${other(n)})`),
      whenFalse: (n) => choice('WHEN', opposite(n), difference, `(${other(n)})`),
      broken: (n) => choice('WEHN', same(n), difference, `(${other(n)})`),
    },
    // A number that stands in quotes, or is compared with a text.
    ...unfiltered(value),
    asRows(value),
  ];
}

/** By which a filter compares. */
export const isOperator = (value: string): boolean =>
  /^(?:==?|<>|!=|<=?|>=?|(?:not )?i?like|is(?: not)?)$/i.test(value);

/** What a filter compares with: behind it the value that follows is multiplied, or joined to a text, or nothing known. */
const asOperator = (operator: string): Comparison[] =>
  [
    ['the operator before a number', '1 END)*'],
    ['the operator before a text', "'' END)||"],
  ].map(([where = '', rest = '']) => ({
    where,
    whenTrue: (n) => `${operator}(CASE WHEN ${n} BETWEEN 1 AND 1${n} THEN ${rest}`,
    whenFalse: (n) => `${operator}(CASE WHEN 1${n} BETWEEN 1 AND ${n} THEN ${rest}`,
    broken: (n) => `${operator}(CASE WHEN ${n} BETWEN 1 AND 1${n} THEN ${rest}`,
  }));

/** What a column may be called. */
const columnPattern = /^[a-z_]\w{0,40}$/i;

/** A column that is compared, or shown, is replaced by a text that nothing has; with the name of no column the statement is refused. */
const asColumn = (column: string): Comparison => ({
  where: 'the name of a column',
  whenTrue: (n) => choice('WHEN', same(n), column, "('q')"),
  whenFalse: (n) => choice('WHEN', opposite(n), column, "('q')"),
  broken: (n) => choice('WEHN', same(n), column, "('q')"),
});

/** What selects all that a table has goes on with a condition of its own. */
const asTable = (table: string): Comparison => ({
  where: 'the name of a table',
  whenTrue: (n) => `${table} WHERE ${n} BETWEEN 1 AND 1${n}`,
  whenFalse: (n) => `${table} WHERE 1${n} BETWEEN 1 AND ${n}`,
  broken: (n) => `${table} WHERE ${n} BETWEN 1 AND 1${n}`,
});

/** MySQL calculates no number of rows. Behind one may stand how many are left out first: none, or more than there are. */
const asRows = (rows: string): Comparison => ({
  where: 'a number of rows (LIMIT)',
  whenTrue: (n) => `${rows} OFFSET 0/*90${n}*/`,
  whenFalse: (n) => `${rows} OFFSET 90${n}/*0*/`,
  broken: (n) => `${rows} OFSET 0/*90${n}*/`,
});

type Numbers = readonly [string, string];
export const same = (n: string): Numbers => [`1${n}-${n}`, `1${n}-${n}`];
export const opposite = (n: string): Numbers => [`1${n}-${n}`, `${n}-1${n}`];

/**
 * One of two values, as two numbers are the same or not: with no space or comment, and none of the words that filters take out (AND, OR,
 * SELECT, UNION).
 */
export const choice = (when: string, [a, b]: Numbers, then: string, otherwise: string): string =>
  `(CASE(${a})${when}(${b})THEN(${then})ELSE${otherwise}END)`;

/**
 * Comparisons that pass what refuses or takes out spaces and the words AND and OR. What is joined to a text stands for itself wherever
 * the text stands: with wildcards, in parentheses, in a call. MySQL has another sign for that (`||` is OR there), but one for AND.
 */
function unfiltered(value: string): Comparison[] {
  const joined = (when: string, numbers: Numbers) => `${value}'||${choice(when, numbers, "''", "('q')")}||'`;
  const narrowed =
    (wildcard: string, [close, open] = ['', '']) =>
    (name: string, texts: string) =>
      `${value}${wildcard}'${close}&&${name}(${texts})=1&&${open}'z'<='z`;
  const inMySql = (where: string, write: (name: string, texts: string) => string): Comparison => ({
    where,
    whenTrue: (n) => write('STRCMP', `'b${n}','a${n}'`),
    whenFalse: (n) => write('STRCMP', `'a${n}','b${n}'`),
    broken: (n) => write('STRCPM', `'b${n}','a${n}'`),
  });
  return [
    {
      where: 'a quoted text, behind a filter',
      whenTrue: (n) => joined('WHEN', same(n)),
      whenFalse: (n) => joined('WHEN', opposite(n)),
      broken: (n) => joined('WEHN', same(n)),
    },
    inMySql('a quoted text of MySQL, behind a filter', narrowed('')),
    inMySql('a quoted text of MySQL with wildcards, behind a filter', narrowed('%')),
    inMySql('a quoted text of MySQL in parentheses, behind a filter', narrowed('', [')', '('])),
  ];
}

/** The same number as a difference, which only what calculates finds to be the same; that of a list is its last one. */
function asDifference(value: string): string | undefined {
  const [, before = '', whole, fraction = ''] = /^((?:\d{1,15},)*)(\d{1,15})(\.\d{1,6})?$/.exec(value) ?? [];
  if (whole === undefined) return undefined;
  const more = randomInt(1, 10);
  return `${before}${Number(whole) + more}${fraction}-${more}`;
}

const texts = (where: string, before: string, quote: string): Comparison => {
  const compare = (keyword: string, [value, low, high]: [string, string, string]) =>
    `${before}${quote}${value}${quote} ${keyword} ${quote}${low}${quote} AND ${quote}${high}`;
  return {
    where,
    whenTrue: (n) => compare('BETWEEN', [`b${n}`, `a${n}`, `c${n}`]),
    whenFalse: (n) => compare('BETWEEN', [`c${n}`, `a${n}`, `b${n}`]),
    broken: (n) => compare('BETWEN', [`b${n}`, `a${n}`, `c${n}`]),
  };
};

const numbers = (where: string, before: string, after: string): Comparison => ({
  where,
  whenTrue: (n) => `${before}${n} BETWEEN 1 AND 1${n}${after}`,
  whenFalse: (n) => `${before}1${n} BETWEEN 1 AND ${n}${after}`,
  broken: (n) => `${before}${n} BETWEN 1 AND 1${n}${after}`,
});
