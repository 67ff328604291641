import { randomInt } from 'node:crypto';
import { percentDecodedOrSame } from '../../../kit/percent.ts';
import { parseJson } from '../../model/json.ts';
import { escapePattern } from '../../proof/pattern.ts';

const cents = 100;
/** A lower price is still one that a shop could have. */
const [least, most] = [0.2, 0.9] as const;
const maxDepth = 4;
const maxEncodedLength = 4_000;
const priceMember = /^(?:.*[._-])?(?:price|unit_?price|cost|total|sub_?total|amount)$/i;

/** A random price below one that a site gave, written as that is; a small whole one with cents. Undefined where there is none. */
export function loweredPrice(sample: string): string | undefined {
  const separator = /[.,]/.exec(sample)?.[0];
  const own = lowered(Number(sample.replace(',', '.')) * (separator ? cents : 1));
  const value = own ?? (separator ? undefined : lowered(Number(sample) * cents));
  if (value === undefined) return undefined;
  if (!separator && own !== undefined) return String(value);
  return `${Math.floor(value / cents)}${separator ?? '.'}${String(value % cents).padStart(2, '0')}`;
}

function lowered(price: number): number | undefined {
  const whole = Math.round(price);
  const [low, high] = [Math.ceil(whole * least), Math.floor(whole * most)];
  const values = Array.from({ length: 20 }, () => (high > low ? randomInt(low, high) : 0));
  // Round numbers stand on many pages.
  return values.find((each) => each % 10 !== 0 && each > 10);
}

/** How a page may write a price that it sends: as it is, or in the unit that a hundred of it are ("540" is 5.40). */
export const writings: readonly ((price: string) => string | undefined)[] = [
  (price) => price,
  (price) => (/^[1-9]\d{2,6}$/.test(price) ? (Number(price) / cents).toFixed(2) : undefined),
];

/** Finds a price as pages write it: "1204.5", "1,204.50" and "1.204,50" are the same one. What stands before it is no part of it. */
export function pricePattern(price: string): string {
  const [whole = '', fraction = ''] = price.split(/[.,]/);
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, "[.,'\\s]?");
  const digits = fraction.replace(/0+$/, '');
  const behind = digits === '' ? '(?:[.,]0{1,2})?' : `[.,]${escapePattern(digits)}0?`;
  return `${grouped}${behind}(?:[^\\d]|$)`;
}

/** A value of a cookie with one of its prices changed. */
type ChangedPrice = { from: string; to: string; value: string };

/** A value that holds a price in JSON, in whatever it is wrapped in (percent-encoding, base64), with each price lowered. */
export function withLoweredPrices(value: string, depth = 0): ChangedPrice[] {
  if (value === '' || value.length > maxEncodedLength || depth > maxDepth) return [];
  const inside = (decoded: string, encode: (text: string) => string) =>
    withLoweredPrices(decoded, depth + 1).map((each) => ({ ...each, value: encode(each.value) }));
  if (/^\s*[{[]/.test(value)) return inJson(value);
  const decoded = percentDecodedOrSame(value);
  if (decoded !== value) return inside(decoded, encodeURIComponent);
  if (/^".*"$/.test(value)) {
    const text = parseJson(value);
    return typeof text === 'string' ? inside(text, JSON.stringify) : [];
  }
  if (!/^[\w+/-]{8,}={0,2}$/.test(value)) return [];
  const isUrl = /[-_]/.test(value);
  const encode = (text: string) => {
    const encoded = Buffer.from(text, 'utf8').toString(isUrl ? 'base64url' : 'base64');
    return value.length % 4 === 0 ? encoded : encoded.replace(/=+$/, '');
  };
  const plain = Buffer.from(value, 'base64').toString('utf8');
  return /^[[{%"]/.test(plain) ? inside(plain, encode) : [];
}

function inJson(text: string): ChangedPrice[] {
  const found: ChangedPrice[] = [];
  const root = parseJson(text);
  const visit = (holder: unknown, level: number): void => {
    if (typeof holder !== 'object' || holder === null || level > maxDepth) return;
    for (const [name, member] of Object.entries(holder)) {
      const from = typeof member === 'number' || typeof member === 'string' ? String(member) : '';
      const to = priceMember.test(name) && /^\d{1,7}(?:[.,]\d{1,2})?$/.test(from) ? loweredPrice(from) : undefined;
      if (to === undefined) {
        visit(member, level + 1);
        continue;
      }
      Reflect.set(holder, name, typeof member === 'number' ? Number(to) : to);
      found.push({ from, to, value: JSON.stringify(root) });
      Reflect.set(holder, name, member);
    }
  };
  visit(root, 0);
  return found;
}
