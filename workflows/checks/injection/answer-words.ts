import type { Exchange } from '../../model/http.ts';
import { decodedText } from '../../probe/html/decoded-text.ts';
import { documentTypeOf } from '../../probe/http/document-type.ts';
import { escapePattern } from '../../proof/pattern.ts';
import { withoutRandomValues } from './random-values.ts';

/** Of no site: nothing is known by it. */
export const unknownWord = 'wqzvx';

/** An answer without what it repeats of the request, quotes, numbers and random values. Undefined for a failure, which proves nothing. */
export function wordsOf(exchange: Exchange, repeated: readonly string[]): string | undefined {
  const { status, text } = exchange;
  if (status >= 500 || status === 429) return undefined;
  const without = (written: string) => textBesides(written, repeated);
  const words = withoutRandomValues(without(text)).replace(/\b[\da-f]{8,}\b|\d+/gi, '');
  return `${status} ${documentTypeOf(exchange)} ${without(exchange.header('location') ?? '')} ${words}`;
}

/** A text without what it repeats, in small letters or capitals, and with one sign for quotes. */
export const textBesides = (written: string, repeated: readonly string[], quote = mark): string =>
  repeated
    .map(patternOf)
    .reduce((left, each) => left.replace(each, ''), marked(written))
    .replaceAll(mark, quote);

/** Stands for quotes and what escapes them: messages write what they were sent with those of their own. */
const mark = '\u0001';
const marked = (text: string): string => decodedText(text).replace(/[\\'"`]+/g, mark);

function patternOf(value: string): RegExp {
  const signs = marked(value).replaceAll(mark, '').split('').map(escapePattern);
  return new RegExp(signs.length === 0 ? '(?!)' : ['', ...signs, ''].join(`${mark}?`), 'gi');
}
