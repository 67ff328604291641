import type { Assertion, Operator } from '../model/experiment.ts';
import { firstMatch } from './pattern.ts';

type Test = (value: string, expected: string, now: Date) => boolean;

/**
 * Each operator on a value that is there. A value that is not there satisfies `absent` alone,
 * so that no claim about an answer holds because the answer lacked what it is about.
 */
const tests: Record<Operator, Test> = {
  equals: (value, expected) => value === expected,
  'not-equals': (value, expected) => value !== expected,
  contains: (value, expected) => value.includes(expected),
  'not-contains': (value, expected) => !value.includes(expected),
  matches: (value, expected) => firstMatch(expected, value) !== undefined,
  'not-matches': (value, expected) => firstMatch(expected, value) === undefined,
  present: () => true,
  absent: () => false,
  before: (value, expected, now) => compareTimes(value, expected, now, (a, b) => a < b),
  after: (value, expected, now) => compareTimes(value, expected, now, (a, b) => a > b),
  'less-than': (value, expected) => compareNumbers(value, expected, (a, b) => a < b),
  'greater-than': (value, expected) => compareNumbers(value, expected, (a, b) => a > b),
  'one-of': (value, expected) => expected.split('|').includes(value),
};

/**
 * Whether a claim holds.
 * @param value undefined when the observation lacks the subject
 * @throws Error when `expected` is not what the operator takes
 */
export function holds(assertion: Assertion, value: string | undefined, now: Date): boolean {
  if (value === undefined) return assertion.operator === 'absent';
  return tests[assertion.operator](value, assertion.expected, now);
}

/** RFC 3339 §5.6, upper case. */
const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

const parseTime = (text: string): number => (timestamp.test(text) ? Date.parse(text) : Number.NaN);

function compareTimes(value: string, expected: string, now: Date, compare: (a: number, b: number) => boolean): boolean {
  const limit = expected === 'now' ? now.getTime() : parseTime(expected);
  if (Number.isNaN(limit)) throw new Error(`"${expected}" is neither an RFC 3339 time nor "now".`);
  return compare(parseTime(value), limit);
}

function compareNumbers(value: string, expected: string, compare: (a: number, b: number) => boolean): boolean {
  const limit = parseNumber(expected);
  if (Number.isNaN(limit)) throw new Error(`"${expected}" is not a number.`);
  return compare(parseNumber(value), limit);
}

const parseNumber = (text: string): number => (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN);

/** The part of a value that makes a claim hold, when there is one. */
export function decisivePart(assertion: Assertion, value: string): string | undefined {
  switch (assertion.operator) {
    case 'contains':
      return assertion.expected || undefined;
    case 'matches':
      return firstMatch(assertion.expected, value)?.text || undefined;
    case 'not-equals':
    case 'not-contains':
    case 'not-matches':
    case 'absent':
      return undefined;
    default:
      return value || undefined;
  }
}
