import { phpText } from '../model/php-values.ts';
import type { ValueEncoding } from '../model/surface.ts';

type BinaryEncoding = Exclude<ValueEncoding, 'plain'>;

/** A short word may happen to be base64 of another one. */
const fewestSigns = 6;
/** "MTIz": no word is written so. */
const unlikeWord = /^(?=.*[a-z])\w*[A-Z\d][a-z]*[A-Z]\w*$|^[A-Z]{2,}[a-z\d]\w*$/;
const mostSigns = 4_000;
/** What sites keep in such values: names, paths, numbers, addresses, JSON. */
const serialized = /^[Oa]:\d+:[\0\x20-\x7e]+\}$/;
const plainText = /^(?:[\w .,:;/@+|=&?#%~!()'"-]+|[[{][\x20-\x7e\u00a0-\uffff]*[\]}])$/;

/** The text that a value stands for; undefined for what is as likely a word of its own, or no text. */
export function decodedValue(value: string): { encoding: ValueEncoding; text: string } | undefined {
  if (value.length > mostSigns || /^\d*$/.test(value)) return undefined;
  if (serialized.test(value)) return { encoding: 'plain', text: value };
  for (const encoding of encodingsOf(value)) {
    const text = textOf(encoding, value);
    if (text === undefined || (value.length === 4 && !/^\w+$/.test(text))) continue;
    if ((plainText.test(text) || serialized.test(text)) && /[a-z\d]/i.test(text)) return { encoding, text };
  }
  return undefined;
}

function encodingsOf(value: string): BinaryEncoding[] {
  if (/^(?:[\da-f]{2})+$/i.test(value)) return value.length >= fewestSigns ? ['hex'] : [];
  const isPadded = /^[\w+/-]{2,}={1,2}$/.test(value) && value.length % 4 === 0;
  const isLong = value.length >= fewestSigns || (value.length === 4 && unlikeWord.test(value));
  if (!isPadded && (!isLong || !/^[\w+/-]+$/.test(value))) return [];
  return [/[-_]/.test(value) ? 'base64url' : 'base64'];
}

/** Only what is written back as it was. */
function textOf(encoding: BinaryEncoding, value: string): string | undefined {
  const bytes = Buffer.from(value, encoding);
  const text = bytes.toString();
  const isSame = written(encoding, text).replace(/=+$/, '').toLowerCase() === value.replace(/=+$/, '').toLowerCase();
  return isSame && !text.includes('\ufffd') ? text : undefined;
}

function written(encoding: ValueEncoding, text: string): string {
  if (encoding === 'plain') return text;
  const value = Buffer.from(text).toString(encoding);
  // Decoders that take no padding are rarer than those that need it.
  return encoding === 'hex' ? value : value.padEnd(Math.ceil(value.length / 4) * 4, '=');
}

/** A reference that is filled with a text in an encoding; the text may have references in it. */
export const inEncoding = (encoding: ValueEncoding, template: string, isPercentEncoded: boolean): string =>
  `‹${isPercentEncoded ? 'written-percent' : 'written'}:${encoding}:${Buffer.from(template).toString('hex')}›`;

/** A reference that is filled with a text as PHP serializes it; the text may have references in it. */
export const inPhp = (template: string): string => `‹php-text:${Buffer.from(template).toString('hex')}›`;

/** @param put fills the references of the text */
export const phpValue = ([template = '']: readonly string[], put: (template: string) => string): string =>
  phpText(put(Buffer.from(template, 'hex').toString()));

const isEncoding = (word = ''): word is ValueEncoding => /^(?:base64|base64url|hex|plain)$/.test(word);

/** @param put fills the references of the text */
export function writtenValue(
  operation: string,
  [encoding, template = '']: readonly string[],
  put: (template: string) => string,
): string | undefined {
  if (!isEncoding(encoding)) return undefined;
  const value = written(encoding, put(Buffer.from(template, 'hex').toString()));
  return operation === 'written-percent' ? encodeURIComponent(value) : value;
}

/** The template with other references in it, those of encoded texts included. */
export const mapTemplate = (template: string, change: (template: string) => string): string =>
  change(
    template.replace(
      /‹(written(?:-percent)?:\w+|php-text):([\da-f]*)›/g,
      (_, head: string, text: string) =>
        `‹${head}:${Buffer.from(mapTemplate(Buffer.from(text, 'hex').toString(), change)).toString('hex')}›`,
    ),
  );
