import type { Comparison } from './sql-comparisons.ts';

/** A condition behind a value: what it is made of stands in each of the three, and only its language distinguishes true from false. */
type Condition = {
  whenTrue(n: string): string;
  whenFalse(n: string): string;
  broken(n: string): string;
};

const comparisonOf = (where: string, write: (condition: string) => string, condition: Condition): Comparison => ({
  where,
  whenTrue: (n) => write(condition.whenTrue(n)),
  whenFalse: (n) => write(condition.whenFalse(n)),
  broken: (n) => write(condition.broken(n)),
});

/** A number begins with itself, and not with what is longer. SQL has no function with a hyphen in its name. */
const startsWith = (quote: string): Condition => {
  const text = (value: string) => `${quote}${value}${quote}`;
  return {
    whenTrue: (n) => `starts-with(${text(`${n}1`)},${text(n)})`,
    whenFalse: (n) => `starts-with(${text(n)},${text(`${n}1`)})`,
    broken: (n) => `starts-wiht(${text(`${n}1`)},${text(n)})`,
  };
};

/** The same without quotes, which filters refuse: of a number its length. */
const longer: Condition = {
  whenTrue: (n) => `string-length(${n}1)>string-length(${n})`,
  whenFalse: (n) => `string-length(${n})>string-length(${n}1)`,
  broken: (n) => `string-lenght(${n}1)>string-length(${n})`,
};

/** Ways in which a value may stand in an XPath expression (XPath 1.0). Conditions only narrow, and need no spaces, which filters refuse. */
export function xpathComparisons(value: string): Comparison[] {
  const quoted = (quote: string): Comparison[] => [
    comparisonOf(
      quote === "'" ? 'a text in single quotes' : 'a text in double quotes',
      (condition) => `${value}${quote}and(${condition})and${quote}a${quote}=${quote}a`,
      startsWith(quote),
    ),
    comparisonOf(
      quote === "'" ? 'an argument in single quotes' : 'an argument in double quotes',
      (condition) => `${value}${quote})and(${condition})and contains(${quote}a${quote},${quote}a`,
      startsWith(quote),
    ),
  ];
  const number = (condition: Condition) => comparisonOf('a number', (written) => `${value} and ${written}`, condition);
  const numbers = /^\d+$/.test(value) ? [number(startsWith("'")), number(longer)] : [];
  const path = (condition: Condition) => comparisonOf('a path', (written) => `${value}[${written}]`, condition);
  const paths = steps.test(value) ? [path(startsWith("'"))] : [];
  return [...numbers, ...paths, ...quoted("'"), ...quoted('"')];
}

/** The same as an alternative to what finds nothing: what is true finds more, and what is false nothing. */
export const xpathAlternatives = (value: string): Comparison[] =>
  ["'", '"'].flatMap((quote) => [
    comparisonOf(
      quote === "'" ? 'a text in single quotes' : 'a text in double quotes',
      (condition) => `${value}${quote}or(${condition})and${quote}a${quote}=${quote}a`,
      startsWith(quote),
    ),
    comparisonOf(
      quote === "'" ? 'an argument in single quotes' : 'an argument in double quotes',
      (condition) => `${value}${quote})or(${condition})and contains(${quote}a${quote},${quote}a`,
      startsWith(quote),
    ),
  ]);

/** Names of elements and of attributes, one below the other, or functions of them: what a predicate may stand behind. */
const steps = /^[/.]*(?:[@*]|[a-z_][\w.-]*)(?:[/:@*]+[\w.*-]+)*(?:\(\))?$/i;

/** Ways in which a value may stand in an LDAP filter (RFC 4515). */
export const ldapComparisons = (value: string): Comparison[] => [...ldapConditions(value), ...inCode(value)];

/** Those with a condition beside that of the value. */
export const ldapConditions = (value: string): Comparison[] => [
  comparisonOf('one of several conditions', (condition) => `${value})${condition}`, {
    // The filter's own parenthesis closes ours.
    whenTrue: (n) => `(|(objectClass=*)(cn=q${n})`,
    whenFalse: (n) => `(&(objectClass=*)(cn=q${n})`,
    broken: (n) => `(|(objectClass=*)((cn=q${n})`,
  }),
  comparisonOf(
    'the beginning of what is looked for, one of several conditions',
    (condition) => `${value}*)${condition}`,
    {
      // The filter's own star and parenthesis end ours.
      whenTrue: (n) => `(|(objectClass=*)(cn=q${n}))(objectClass=`,
      whenFalse: (n) => `(&(objectClass=*)(cn=q${n}))(objectClass=`,
      broken: (n) => `(|(objectClass=*)((cn=q${n}))(objectClass=`,
    },
  ),
];

/**
 * The only condition takes no other beside it. A sign of the value by its code is the sign itself in a filter (RFC 4515 §3), and stays
 * what is written wherever values are escaped or are no part of a filter.
 */
function inCode(value: string): Comparison[] {
  const [, before, sign, behind] = /^(\w*?)([a-y])(.*)$/is.exec(value) ?? [];
  if (sign === undefined) return [];
  const written = (code: string): string => `${before}\\${code}${behind}`;
  const codeOf = (char: number): string => char.toString(16);
  const code = sign.charCodeAt(0);
  const comparison = {
    whenTrue: () => written(codeOf(code)),
    whenFalse: () => written(codeOf(code + 1)),
    broken: () => written(codeOf(code).replace(/.$/, 'q')),
  };
  return [{ where: 'the only condition', ...comparison }];
}

/** The same comparison in JavaScript, whose operator of three signs SQL and XPath do not have. */
const begins = (quote: string): Condition => {
  const text = (value: string) => `${quote}${value}${quote}`;
  return {
    whenTrue: (n) => `${text(`${n}1`)}.startsWith(${text(n)})===true`,
    whenFalse: (n) => `${text(n)}.startsWith(${text(`${n}1`)})===true`,
    broken: (n) => `${text(`${n}1`)}.startsWiht(${text(n)})===true`,
  };
};

/** Ways in which a value may stand in a condition in JavaScript, as that of `$where`. Conditions only narrow. */
export function scriptComparisons(value: string): Comparison[] {
  const number = comparisonOf('a number', (condition) => `${value}&&${condition}`, begins("'"));
  const quoted = ["'", '"'].map((quote) =>
    comparisonOf(
      quote === "'" ? 'a text in single quotes' : 'a text in double quotes',
      (condition) => `${value}${quote}&&${condition}&&${quote}a${quote}===${quote}a`,
      begins(quote),
    ),
  );
  return [...(/^\d+$/.test(value) ? [number] : []), ...quoted];
}

/** The same as an alternative to what finds nothing: what is true finds more, and what is false nothing. */
export const scriptAlternatives = (value: string): Comparison[] =>
  ["'", '"'].map((quote) =>
    comparisonOf(
      quote === "'" ? 'a text in single quotes' : 'a text in double quotes',
      (condition) => `${value}${quote}||${condition}&&${quote}a${quote}===${quote}a`,
      begins(quote),
    ),
  );
