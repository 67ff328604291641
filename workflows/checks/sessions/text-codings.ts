import { percentDecodedOrSame } from '../../../kit/percent.ts';

/** A way to write a text that everybody can read and write; it is read only where writing it gives the same value again. */
type TextCoding = { what: string; read(value: string): string | undefined; write(text: string): string };

const readable = /^[\x20-\x7e]{2,}$/;
const maxLength = 4_000;

/** The text of bytes that are written back as they came. */
const ofBytes = (what: string, encoding: 'base64' | 'base64url' | 'hex'): TextCoding =>
  exact({
    what,
    read: (value) => Buffer.from(value, encoding).toString('latin1'),
    write: (text) => Buffer.from(text, 'latin1').toString(encoding),
  });

function exact({ what, read, write }: { what: string; read(value: string): string; write(text: string): string }) {
  return {
    what,
    write,
    read(value: string): string | undefined {
      if (value.length > maxLength) return undefined;
      const text = read(value);
      return readable.test(text) && write(text) === value ? text : undefined;
    },
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Source: RFC 4648 §6. */
function toBase32(text: string): string {
  const bits = [...Buffer.from(text, 'latin1')].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = (bits.match(/.{1,5}/g) ?? []).map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
  return digits.padEnd(Math.ceil(digits.length / 8) * 8, '=');
}

function fromBase32(value: string): string {
  if (!/^[A-Z2-7]{4,}={0,6}$/.test(value)) return '';
  const bits = [...value.replace(/=+$/, '')]
    .map((digit) => letters.indexOf(digit).toString(2).padStart(5, '0'))
    .join('');
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return Buffer.from(bytes).toString('latin1');
}

/** Each letter by the one 13 places further. */
export const rot13 = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + 13) % 26));
  });

const backwards = (text: string): string => [...text].reverse().join('');

/** Encodings, in which a text can be written one in the other. */
export const encodings: readonly TextCoding[] = [
  { what: 'percent-encoding', read: percentDecodedOrSame, write: encodeURIComponent },
  ofBytes('base64', 'base64'),
  ofBytes('base64', 'base64url'),
  ofBytes('hexadecimal digits', 'hex'),
  exact({ what: 'base32', read: fromBase32, write: toBase32 }),
];

/** Ways to disguise a text, which are found at most once on the way to it: twice is the text itself. */
export const disguises: readonly TextCoding[] = [
  exact({ what: 'ROT13', read: rot13, write: rot13 }),
  exact({ what: 'reversed order', read: backwards, write: backwards }),
];
