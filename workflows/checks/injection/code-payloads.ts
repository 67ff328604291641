import type { BreakingSign } from './breaking-signs.ts';

/** A value with code that calculates, for one language and one way of standing in its text. */
export type Evaluating = {
  where: string;
  value: string;
  /** What the code gives: nothing that stands in the value. */
  result: string;
  /** The same value with the name of the function misspelt. */
  broken: string;
  /** What the code where it stands cannot go on with; undefined for a value that fits several kinds of places. */
  brokenBy?: BreakingSign;
};

const [a, b] = ['‹int›', '‹int2›'];
/** A product has seven or eight digits; filled up with zeros to twenty. */
const padded = `${'0'.repeat(12)}‹product:int:int2›`;

/** Code that fills a product up with zeros, without quotes, so that it can stand in any. No language for templates has such functions. */
type Language = {
  name: string;
  call(word: string): string;
  word: string;
  /** What joins texts. */
  join: string;
  comment: string;
  /** Prints what an expression gives, where statements are evaluated. */
  statement?: (expression: string) => string;
  /** The same as a part of an expression, whose value nothing may show: a key, or what is compared. */
  printed?: (expression: string) => string;
};

const languages: readonly Language[] = [
  {
    name: 'JavaScript',
    word: 'padStart',
    call: (word) => `String(${a}*${b}).${word}(20,0)`,
    join: '+',
    comment: '//',
  },
  { name: 'Python', word: 'zfill', call: (word) => `str(${a}*${b}).${word}(20)`, join: '+', comment: '#' },
  {
    name: 'PHP',
    word: 'str_pad',
    call: (word) => `${word}(${a}*${b},20,0,0)`,
    join: '.',
    comment: '//',
    statement: (expression) => `print(${expression});`,
    printed: (expression) => `(print(${expression}))`,
  },
  { name: 'Ruby', word: 'rjust', call: (word) => `(${a}*${b}).to_s.${word}(20,0.to_s)`, join: '+', comment: '#' },
  {
    name: 'Perl',
    word: 'sprintf',
    call: (word) => `${word}(q(%020d),${a}*${b})`,
    join: '.',
    comment: '#',
    statement: (expression) => `print(${expression});`,
  },
];

/** The same behind the end of a text in either kind of quotes, which goes on behind it. */
const inTexts = (joined: string): string => ["'", '"'].map((quote) => quote + joined + quote).join('');

export function evaluating(): Evaluating[] {
  const ways = (
    language: Language,
  ): [where: string, write: (expression: string) => string, brokenBy?: BreakingSign][] => {
    const { join, comment, statement, printed } = language;
    const joined = (expression: string) => join + expression + join;
    const ended = (code: string) => `;${code}${comment}`;
    return [
      // Without quotes what follows is a comment, and within a text it is a part of it.
      ['code', (expression) => expression + comment + inTexts(joined(expression))],
      ['code that goes on behind it', (expression) => expression, '$('],
      ...(printed
        ? ([['a text that nothing shows', (expression) => inTexts(joined(printed(expression)))]] satisfies [
            string,
            (expression: string) => string,
          ][])
        : []),
      ...(statement
        ? ([
            [
              'statements',
              (expression: string) => {
                const code = statement(expression);
                return `${code}${comment}'${ended(code)}"${ended(code)}`;
              },
            ],
          ] as const satisfies [string, (expression: string) => string][])
        : []),
    ];
  };
  const known = languages.flatMap((language) =>
    ways(language).map(
      ([where, write, brokenBy]): Evaluating => ({
        where: `${where} of ${language.name}`,
        value: write(language.call(language.word)),
        result: padded,
        broken: write(language.call(`${language.word}q`)),
        ...(brokenBy === undefined ? {} : { brokenBy }),
      }),
    ),
  );
  const concat = (word: string) => `'‹nonce›'.${word}(${a}*${b}).${word}('‹nonce2›')`;
  const java = {
    where: 'an expression language of Java (EL, SpEL, OGNL)',
    value: concat('concat'),
    result: '‹nonce›‹product:int:int2›‹nonce2›',
    broken: concat('concaq'),
    brokenBy: '$(' as const,
  };
  return [...known, java, calculator];
}

/** Evaluators of formulas know functions by name, and some let them be asked for what made them: the maker of functions of JavaScript. */
const calculator: Evaluating = {
  where: 'a formula, whose functions lead to the Function constructor of JavaScript',
  value: made('constructor'),
  result: padded,
  broken: made('constructoq'),
  brokenBy: '$(',
};

function made(word: string): string {
  return `sqrt.${word}("return String(${a}*${b}).padStart(20,0)")()`;
}
