/** A value in a text that PHP has serialized: the last part of its key, and from where to where it stands, in bytes. */
export type SerializedPart = { name: string; from: number; to: number };

/** A place in a text that PHP has serialized, which takes any text. */
export type PhpPlace = { text: string; from: number; to: number };

/** The texts and numbers that are values of arrays and of members of objects, and no keys. Empty for what PHP did not write. */
export function scalarsIn(text: string): SerializedPart[] {
  const found: SerializedPart[] = [];
  const end = readValue(text, 0, found);
  return end === undefined ? [] : found;
}

const opening = /(?:a:(\d{1,4})|O:\d{1,3}:"[^"]{1,100}":(\d{1,4})):\{/y;
const scalar = /(?:N|b:[01]|i:-?\d{1,19}|d:[-\d.E+]{1,30});/y;
const beginOfText = /s:(\d{1,5}):"/y;

/** What is nested deeper is no value of a cookie or form. */
const maxDepth = 32;

/** Where a value ends; undefined when none begins there. Scalars are noted, but for what stands alone. */
function readValue(text: string, at: number, found: SerializedPart[], depth = 0): number | undefined {
  if (depth > maxDepth) return undefined;
  const [whole, ofArray, ofObject] = matchAt(opening, text, at) ?? [];
  if (whole === undefined) return readScalar(text, at);
  let place = at + whole.length;
  for (let left = Number(ofArray ?? ofObject); left > 0; left--) {
    const key = readScalar(text, place);
    const end = key === undefined ? undefined : readValue(text, key, found, depth + 1);
    if (key === undefined || end === undefined) return undefined;
    if (readScalar(text, key) === end) found.push({ name: nameIn(text.slice(place, key)), from: key, to: end });
    place = end;
  }
  return text[place] === '}' ? place + 1 : undefined;
}

/** Of a key: `s:4:"file";` or `i:3;`. */
const nameIn = (key: string): string => /"(.*)"/s.exec(key)?.[1]?.replace(/^.*\0/s, '') ?? key.replace(/\D/g, '');

function readScalar(text: string, at: number): number | undefined {
  const [plain] = matchAt(scalar, text, at) ?? [];
  if (plain !== undefined) return at + plain.length;
  const [begin, length] = matchAt(beginOfText, text, at) ?? [];
  if (begin === undefined) return undefined;
  const end = at + begin.length + Number(length);
  return text.startsWith('";', end) ? end + 2 : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The text or the number that stands in a part; undefined for what is neither. */
export const scalarAt = (text: string, { from, to }: SerializedPart): string | undefined =>
  /^(?:s:\d+:"(.*)"|i:(-?\d+));$/s
    .exec(text.slice(from, to))
    ?.slice(1)
    .find((each) => each !== undefined);

/** A text as PHP serializes it: with its length in bytes. */
export const phpText = (value: string): string => `s:${Buffer.byteLength(value)}:"${value}";`;
