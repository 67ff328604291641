import { type Json, readJson } from '../../kit/json.ts';
import { ProbeError } from './probe-error.ts';

/** Members and elements in all. An answer of 2 MiB has some ten thousands; each takes up to 300 bytes. */
const maxValues = 150_000;
/** Real answers nest some ten deep. */
const maxDepth = 500;

/**
 * The value of a text of JSON that a target sent, undefined when it is none. What the text would become is bounded before
 * it is made: it can be a hundred times its size.
 * @throws ProbeError `too_large`: what a part of it says is not what all of it does
 */
export function parseJson(text: string): Json | undefined {
  if (!isModest(text))
    throw new ProbeError('too_large', 'an answer in JSON has more values, or deeper ones, than are read');
  return readJson(text);
}

/** Codes of the signs that make the structure. */
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const isOpening = (sign: number): boolean => sign === 0x5b || sign === 0x7b;
const isClosing = (sign: number): boolean => sign === 0x5d || sign === 0x7d;

/** Counts what stands outside of texts, whether it is JSON or not. */
function isModest(text: string): boolean {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfText(text, at);
    else if (sign === comma) values += 1;
    else if (isOpening(sign)) {
      values += 1;
      depth += 1;
    } else if (isClosing(sign)) depth -= 1;
    if (values > maxValues || depth > maxDepth) return false;
  }
  return true;
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}
