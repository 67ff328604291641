import type { ExpressionForm } from './template-forms.ts';

/** Only SQL writes a choice so: what other languages make of such a text is no number. */
const calculation = 'CASE 1 WHEN 1 THEN ‹int›*‹int2› END';

/**
 * A text that is ended, and added to as a number. All engines add so, and what is a sum is true for no row should it get into a
 * condition: joined by `||`, which is OR in MySQL, it would be for all.
 */
const added = (quote: string, name: string): ExpressionForm => ({
  value: `0${quote}+(${calculation})+${quote}0`,
  result: '‹product:int:int2›',
  inert: `0${quote}${quote}+(${calculation})+${quote}${quote}0`,
  detail: `It stands in the statement as a text in ${name} quotes.`,
});

/** Each has to be stored by itself: the quotes of one would end the other. */
export const storedCalculations: readonly { forms: readonly ExpressionForm[] }[] = [
  { forms: [added("'", 'single')] },
  { forms: [added('"', 'double')] },
];
