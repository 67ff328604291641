import { createHash } from 'node:crypto';

/** Values that may name other objects of a kind, the likeliest first, and one that names none. */
type Neighbours = { values: string[]; nobody: string };

/** Numbers whose digests are compared: accounts and records of a small site. */
const maxHashed = 20_000;
const far = 987_654_321;
const digests = { 32: 'md5', 40: 'sha1', 64: 'sha256' } as const;

/**
 * The identifiers beside one: a number more and less, also where the number is a part of a text, in base64 or hex, or is given as its
 * digest. None where nothing in the value counts.
 */
export function neighboursOf(value: string): Neighbours | undefined {
  return (
    ofDigest(value) ??
    (/^\d{1,15}$/.test(value) ? ofNumber(value) : (ofObject(value) ?? ofEncoded(value) ?? ofText(value)))
  );
}

/** Members that say who or which one. */
const idMember = /"(?:id|uid|(?:user|account|customer|member|owner)(?:_?id)?)"\s{0,3}:\s{0,3}"?(\d{1,15})(?=["\s,}])/i;

/** JSON that names somebody: {"uid":7,"since":1795854487}. */
function ofObject(text: string): Neighbours | undefined {
  const found = text.startsWith('{') && text.endsWith('}') ? idMember.exec(text) : null;
  const [whole, number = ''] = found ?? [];
  if (!found || whole === undefined) return undefined;
  const at = found.index + whole.length;
  const put = (other: string) => text.slice(0, at - number.length) + other + text.slice(at);
  const { values, nobody } = ofNumber(number);
  return { values: values.map(put), nobody: put(nobody) };
}

/** Whether a value says who or which one by the name of a member, as it is or in base64. */
export const namesByMember = (value: string): boolean =>
  [value, Buffer.from(value, 'base64').toString('latin1')].some((text) => ofObject(text) !== undefined);

function ofNumber(text: string): Neighbours {
  const number = Number(text);
  const write = (other: number) => String(other).padStart(text.startsWith('0') ? text.length : 0, '0');
  const near = [number - 1, number + 1, 1, number - 2, number + 2];
  const further = [3, 4, 5].flatMap((step) => [number - step, number + step]);
  const beside = [...near, ...further].filter((other) => other >= 0 && other !== number);
  return { values: [...new Set(beside.map(write))], nobody: write(number + far) };
}

/** A month or a day in a name: "2026-03", "20260314". */
const date = /(?<!\d)(?:19|20)\d\d(?<sign>[-_.]?)(?:0[1-9]|1[0-2])(?:\k<sign>(?:0[1-9]|[12]\d|3[01]))?(?!\d)/g;

/** "INV-2024-0017": each number in it counts, the last one first; those of a date come last, as in "slip_2044_2026-03". */
function ofText(text: string): Neighbours | undefined {
  const dates = [...text.matchAll(date)].map(({ index, 0: { length } }) => ({ from: index, to: index + length }));
  const isOfDate = ({ index }: RegExpExecArray) => dates.some(({ from, to }) => from <= index && index < to);
  const places = [...text.matchAll(/\d{1,9}/g)]
    .toReversed()
    .toSorted((a, b) => Number(isOfDate(a)) - Number(isOfDate(b)))
    .slice(0, 2);
  const [last] = places;
  if (!last || text.length > 40 || isRandom(text)) return undefined;
  const put = (match: RegExpExecArray, value: string) =>
    text.slice(0, match.index) + value + text.slice(match.index + match[0].length);
  const values = places.flatMap((match) =>
    ofNumber(match[0])
      .values.slice(0, 2)
      .map((value) => put(match, value)),
  );
  return { values, nobody: put(last, ofNumber(last[0]).nobody) };
}

/** Letters and digits in turns, as chance makes them. */
const isRandom = (text: string): boolean =>
  (text.match(/\d+/g) ?? []).length > 3 || /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);

function ofEncoded(text: string): Neighbours | undefined {
  for (const coding of codingsOf(text)) {
    const plain = Buffer.from(text, coding).toString('latin1');
    const encode = (value: string) => {
      const encoded = Buffer.from(value, 'latin1').toString(coding);
      return coding === 'base64' && !text.endsWith('=') && text.length % 4 !== 0 ? encoded.replace(/=+$/, '') : encoded;
    };
    if (!/^[\x20-\x7e]+$/.test(plain) || encode(plain) !== text) continue;
    const inner = /^\d{1,15}$/.test(plain) ? ofNumber(plain) : (ofObject(plain) ?? ofText(plain));
    if (inner) return { values: inner.values.map(encode), nobody: encode(inner.nobody) };
  }
  return undefined;
}

function codingsOf(text: string): ('hex' | 'base64' | 'base64url')[] {
  if (/^(?:[0-9a-f]{2})+$/.test(text)) return ['hex'];
  return /^[\w+/-]{2,}={0,2}$/.test(text) ? ['base64', 'base64url'] : [];
}

/** Looks random, and is made of a number that can be counted. */
export const isDigestOfNumber = (value: string): boolean => ofDigest(value) !== undefined;

function ofDigest(text: string): Neighbours | undefined {
  const algorithm = Object.entries(digests).find(([length]) => text.length === Number(length))?.[1];
  if (algorithm === undefined || !/^[0-9a-f]+$/i.test(text)) return undefined;
  const digest = (number: number | string) => createHash(algorithm).update(String(number)).digest('hex');
  const wanted = text.toLowerCase();
  for (let number = 0; number <= maxHashed; number += 1) {
    if (digest(number) !== wanted) continue;
    const { values, nobody } = ofNumber(String(number));
    return { values: values.map(digest), nobody: digest(nobody) };
  }
  return undefined;
}
