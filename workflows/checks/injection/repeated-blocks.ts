import { sealedText } from '../sessions/sealed-values.ts';

/** Where an encrypted text repeats itself: a chunk of `size` characters stands at `offset`, and again behind itself. */
export type RepeatedBlocks = { offset: number; size: number; bytes: number };

/** Whole blocks of 8 or 16 bytes that are whole characters too: 16 bytes in hex, 48 in base64. */
const chunks = { hex: { size: 32, step: 2, bytes: 16 }, base64: { size: 64, step: 4, bytes: 48 } };
/** A text that is only written otherwise repeats itself in less than a block. */
const shortestBlock = 8;

const codingOf = (text: string) => (/^[0-9a-f]+$/i.test(text) ? chunks.hex : chunks.base64);

/** As many letters as give such chunks, with whole blocks of something else before them. */
export const runFor = (text: string): string => 'q'.repeat(codingOf(text) === chunks.hex ? 48 : 128);

/** Where equal blocks of a plain text became equal blocks of an encrypted one; undefined where nothing repeats, or where it can be read. */
export function repeatedBlocks(text: string): RepeatedBlocks | undefined {
  if (!/^[\w+/=-]+$/.test(text) || !sealedText(text)) return undefined;
  const { size, step, bytes } = codingOf(text);
  for (let offset = step; offset + 2 * size <= text.length; offset += step) {
    const chunk = text.slice(offset, offset + size);
    if (chunk !== text.slice(offset + size, offset + 2 * size)) continue;
    const part = size === chunks.hex.size ? Buffer.from(chunk, 'hex') : Buffer.from(chunk, 'base64');
    return periodOf(part) < shortestBlock ? undefined : { offset, size, bytes };
  }
  return undefined;
}

function periodOf(bytes: Buffer): number {
  for (let period = 1; period < bytes.length; period += 1)
    if (bytes.subarray(period).equals(bytes.subarray(0, -period))) return period;
  return bytes.length;
}
