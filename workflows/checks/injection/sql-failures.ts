import { type Comparison, isOperator } from './sql-comparisons.ts';

/** No database has a value for it: two find the number too large, three divide by zero. It reads nothing. */
const failing = 'ABS(-9223372036854775808)/0';

type BrokenStatement = { value: string; comparisons: Comparison[] };

/**
 * Values that end the text or the number that they stand in, so that the statement is refused; and comparisons behind the same value of
 * which a false one fails when the database evaluates it. Conditions are only ever narrowed (AND).
 */
export function failuresFor(value: string): BrokenStatement[] {
  if (isOperator(value)) return [ofOperator(value)];
  const texts = (quote: string): BrokenStatement => ({
    value: `${value}${quote}`,
    comparisons: [
      conditional('a quoted text', `${value}${quote} AND `, ` AND ${quote}a${quote}=${quote}a`),
      conditional('a quoted text with wildcards', `${value}%${quote} AND `, ` AND ${quote}a${quote}=${quote}a`),
      // A text that is stored is no condition.
      ...(quote === "'" ? [joined(value)] : []),
      conditional('a quoted text in parentheses', `${value}${quote}) AND `, ` AND (${quote}a${quote}=${quote}a`),
    ],
  });
  const numbers: BrokenStatement = {
    value: `${value}'`,
    comparisons: [
      conditional('a number', `${value} AND `, ''),
      conditional('a number in parentheses', `${value}) AND (`, ''),
    ],
  };
  return [
    ...ofExpression(value),
    ...ofName(value),
    ...(/^\d{1,15}$/.test(value) ? [numbers] : []),
    texts("'"),
    texts('"'),
  ];
}

/** The site's own value is a part of a statement, with a text in its quotes: the call of a procedure, or a condition. */
const withText = /^([^']*(?:'[^']*'[^']*)*)('[^']*')([^']*)$/;

/** In the place of its last text stands what gives the same one, or fails. */
function ofExpression(value: string): BrokenStatement[] {
  const [, before = '', text, after = ''] = withText.exec(value) ?? [];
  if (text === undefined) return [];
  const write = (when: string, condition: string) =>
    `${before}CASE ${when} ${condition} THEN ${text} ELSE CAST(${failing} AS CHAR(9)) END${after}`;
  const comparison: Comparison = {
    where: 'a part of the statement with a text in it, and a false comparison fails',
    whenTrue: (n) => write('WHEN', `1${n}>${n}`),
    whenFalse: (n) => write('WHEN', `${n}>1${n}`),
    broken: (n) => write('WEHN', `1${n}>${n}`),
  };
  return [{ value: `${value}'`, comparisons: [comparison] }];
}

/** Behind an operator stands what multiplies the value that follows by one, or fails. */
function ofOperator(operator: string): BrokenStatement {
  const write = (when: string, condition: string) =>
    `${operator}(CASE ${when} ${condition} THEN 1 ELSE ${failing} END)*`;
  const comparison: Comparison = {
    where: 'the operator of a comparison, and a false one behind it fails',
    whenTrue: (n) => write('WHEN', `1${n}>${n}`),
    whenFalse: (n) => write('WHEN', `${n}>1${n}`),
    broken: (n) => write('WEHN', `1${n}>${n}`),
  };
  return { value: `${operator}'`, comparisons: [comparison] };
}

/** A name of a column stands without quotes, as what a list is ordered by: in its place stands what is the column, or fails. */
function ofName(value: string): BrokenStatement[] {
  if (!/^[a-z_]\w{0,40}$/i.test(value)) return [];
  const write = (when: string, condition: string) => `CASE ${when} ${condition} THEN ${value} ELSE ${failing} END`;
  const comparison: Comparison = {
    where: 'the name of a column, and a false comparison fails',
    whenTrue: (n) => write('WHEN', `1${n}>${n}`),
    whenFalse: (n) => write('WHEN', `${n}>1${n}`),
    broken: (n) => write('WEHN', `1${n}>${n}`),
  };
  return [{ value: `${value}'`, comparisons: [comparison] }];
}

const joined = (value: string): Comparison => {
  const write = (when: string, condition: string) =>
    `${value}'||CASE ${when} ${condition} THEN '' ELSE CAST(${failing} AS CHAR(9)) END||'`;
  return {
    where: 'a text that is joined, and a false comparison fails',
    whenTrue: (n) => write('WHEN', `1${n}>${n}`),
    whenFalse: (n) => write('WHEN', `${n}>1${n}`),
    broken: (n) => write('WEHN', `1${n}>${n}`),
  };
};

function conditional(where: string, before: string, after: string): Comparison {
  const write = (when: string, condition: string) =>
    `${before}1=CASE ${when} ${condition} THEN 1 ELSE ${failing} END${after}`;
  return {
    where: `${where}, and a false comparison fails`,
    whenTrue: (n) => write('WHEN', `1${n}>${n}`),
    whenFalse: (n) => write('WHEN', `${n}>1${n}`),
    broken: (n) => write('WEHN', `1${n}>${n}`),
  };
}
