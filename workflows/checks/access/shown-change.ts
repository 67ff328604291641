import { escapePattern } from '../../proof/pattern.ts';

/** A number of a page that a request changes by the same amount each time, and where it stands. */
export type ShownChange = {
  url: string;
  /** What stands before it, the same in all answers. */
  context: string;
  before: string;
  after: string;
};

const number = /(?<![\d.,\w])-?\d{1,9}(?:[.,]\d{1,2})?(?![\d\w]|[.,]\d)/g;
/** What stands before a number identifies it. */
const contextLength = 40;
const minContextLength = 6;
const maxNumbers = 400;
/** Dates, times and the like change by themselves. */
const timely = /(?:time|date|second|minute|expires|ago|uptime|stamp|visits?|attempts?|tries)[^<>]{0,20}$/i;

/** Numbers that stand at one place in both answers, and differ. */
export function shownChanges(url: string, before: string, after: string): ShownChange[] {
  const [first, second] = [numbersIn(before), numbersIn(after)];
  return [...first].flatMap(([context, value]) => {
    const changed = second.get(context);
    return changed !== undefined && changed !== value && !timely.test(context)
      ? [{ url, context, before: value, after: changed }]
      : [];
  });
}

/** The number behind a context, in another answer. */
export function numberBehind(text: string, context: string): string | undefined {
  const at = text.indexOf(context);
  return at === -1 ? undefined : text.slice(at + context.length).match(/^-?\d{1,9}(?:[.,]\d{1,2})?/)?.[0];
}

/** By what stands before each; none where that stands before several. */
function numbersIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const twice = new Set<string>();
  for (const { 0: value, index } of [...text.matchAll(number)].slice(0, maxNumbers)) {
    const context = text.slice(Math.max(0, index - contextLength), index).replace(/^.*\d/s, '');
    if (context.length < minContextLength) continue;
    if (found.has(context)) twice.add(context);
    found.set(context, value);
  }
  for (const context of twice) found.delete(context);
  return found;
}

/** A pattern (RE2) of the number after its change was made from two to so many times. */
export function repeatedly({ context, before, after }: ShownChange, times: number): string {
  const [from, to] = [before, after].map((text) => Number(text.replace(',', '.')));
  const separator = /[.,]/.exec(after)?.[0] ?? /[.,]/.exec(before)?.[0];
  const decimals = Math.max(...[before, after].map((text) => text.split(/[.,]/)[1]?.length ?? 0));
  const values = Array.from({ length: times - 1 }, (_, index) =>
    ((from ?? 0) + (index + 2) * ((to ?? 0) - (from ?? 0))).toFixed(decimals).replace('.', separator ?? '.'),
  );
  return `${escapePattern(context)}(?:${values.map(escapePattern).join('|')})(?:[^\\d.,]|[.,]\\D|$)`;
}
