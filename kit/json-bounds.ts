/** What a JSON text may hold before it is parsed: a parser's memory and time grow with values, far less with characters. */
type JsonBounds = {
  /** Objects and lists within each other. */
  maxDepth: number;
  /** Values and names, counted by their commas, colons and brackets. */
  maxValues: number;
};

/** More than any request of the contract has: its messages are nested four deep, and lists have a hundred items. */
export const requestBounds: JsonBounds = { maxDepth: 64, maxValues: 50_000 };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Looks through JSON in UTF-8 without parsing it, and stops at the first bound that is exceeded. What is not valid JSON
 * is measured as well, but not refused.
 * @returns what is wrong, as the end of a sentence; undefined when nothing is
 */
export function excessOf(json: Uint8Array, { maxDepth, maxValues }: JsonBounds): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === quote) at = endOfString(json, at);
    else if (byte === comma || byte === colon) values += 1;
    else if (isOpening(byte)) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    } else if (isClosing(byte)) depth -= 1;
    if (values > maxValues) return `has more than ${maxValues} values`;
  }
  return undefined;
}

/** Index of the quote that ends the string; that of the last byte when none does. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}

/** "[" and "{" differ in one bit, as "]" and "}" do. */
const isOpening = (byte: number): boolean => (byte | 0x20) === 0x7b;
const isClosing = (byte: number): boolean => (byte | 0x20) === 0x7d;
