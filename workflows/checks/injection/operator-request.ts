import type { HttpAction } from '../../model/experiment.ts';
import { parseJson } from '../../model/json.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import type { Comparison } from './sql-comparisons.ts';

/** An operator with what it is applied to, twice: the site's own value, and one of ours that may be a template. */
type Operators = { own: readonly [operator: string, value: string]; other: readonly [operator: string, value: string] };

const mark = 'operators:';
const written = (operators: Operators): string => mark + JSON.stringify(operators);

/**
 * Equal to the value and not to a number of ours, which holds for what the value finds; and equal to the value and not to it, which
 * never does. Servers that take the value of any parameter whose name begins so find it in both.
 */
export const operatorComparisons = (value: string): Comparison[] => [
  {
    where: 'operators',
    whenTrue: (n) => written({ own: ['$eq', value], other: ['$ne', n] }),
    whenFalse: () => written({ own: ['$eq', value], other: ['$ne', value] }),
    broken: (n) => written({ own: ['$eqq', value], other: ['$ne', n] }),
  },
  // Some stores compare an order and know no operator for what is equal.
  {
    where: 'operators',
    whenTrue: () => written({ own: ['$gte', value], other: ['$lte', value] }),
    whenFalse: () => written({ own: ['$gte', value], other: ['$lt', value] }),
    broken: () => written({ own: ['$gtte', value], other: ['$lte', value] }),
  },
];

/** Texts of which none is ours, and that come after nothing or before it: every text does the first, and none the second. */
const anyText: Comparison = {
  where: 'operators',
  whenTrue: (n) => written({ own: ['$gt', ''], other: ['$ne', n] }),
  whenFalse: (n) => written({ own: ['$lt', ''], other: ['$ne', n] }),
  broken: (n) => written({ own: ['$gtt', ''], other: ['$ne', n] }),
};
/** Whether a text has the operator in it, as errors do that say what they were sent. */
export const repeatsAnyText = (text: string): boolean => /\$[gl]t+\b/.test(text);
/** For an input of which no value is known that finds something. */
export const anyTextComparisons = (): Comparison[] => [anyText];
export const anyTextValue = anyText.whenTrue('‹int›');

/** Fields and JSON can carry objects; paths, headers and cookies cannot. */
export const takesOperators = ({ in: place, contentType = '', xml, json, renamed, encoded }: OpenedInput): boolean =>
  !encoded &&
  (place === 'query' ||
    (place === 'body' && !xml && !renamed && json?.literal === undefined && !contentType.startsWith('multipart/')));

/** The request with operators in the place of the value, as frameworks write and read them; of any other text the usual one. */
export function operatorAction(input: OpenedInput, template: string): HttpAction {
  const operators = template.startsWith(mark) ? readOperators(template.slice(mark.length)) : undefined;
  if (!operators) return inputAction(input, template);
  const { own, other } = operators;
  if (input.in === 'body' && input.contentType?.startsWith('application/json')) {
    const action = inputAction(input, mark);
    const object = JSON.stringify(Object.fromEntries([own, other]));
    return { ...action, body: (action.body ?? '').replace(JSON.stringify(mark), () => object) };
  }
  const { parameter, others } = input;
  const fields = others.filter(({ name }) => name !== parameter);
  const named = (operator: string) => `${parameter}[${operator}]`;
  return inputAction(
    {
      ...input,
      url: input.in === 'query' ? without(input.url, parameter) : input.url,
      parameter: named(other[0]),
      others: [...fields, { name: named(own[0]), value: own[1] }],
    },
    other[1],
  );
}

function readOperators(text: string): Operators | undefined {
  const read = parseJson(text);
  return read as Operators | undefined;
}

function without(url: string, parameter: string): string {
  const parsed = new URL(url);
  parsed.searchParams.delete(parameter);
  return parsed.href;
}
