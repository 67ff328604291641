import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** An API key: "sa_" + 8-character id + "_" + 32 base62 + 6-character CRC-32 of all before it, in base62. */
type KeyText = { keyId: string; text: string };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const pattern = /^sa_([0-9A-Za-z]{8})_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/;

// 32 characters of 62 are 190 bits: nothing to guess, so one round of SHA-256 is enough to store.
const random = (length: number) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** CRC-32 (ISO 3309) in base62, zero padded to 6. Distinguishes a mistyped key from a wrong one without a look-up. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (digits.length < 6) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

export function newKey(): KeyText {
  const keyId = random(8);
  const body = `sa_${keyId}_${random(32)}`;
  return { keyId, text: body + checksum(body) };
}

/** The key in a text; undefined when it is none, or was mistyped. */
export function parseKey(text: string): KeyText | undefined {
  const [, keyId, sum] = pattern.exec(text) ?? [];
  if (keyId === undefined || sum !== checksum(text.slice(0, -6))) return undefined;
  return { keyId, text };
}

/** What is stored of a key. */
export const hashKey = (text: string): Buffer => createHash('sha256').update(text).digest();

export const isSameHash = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
