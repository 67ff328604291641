import { crc32 } from 'node:zlib';
import { parseJson } from '../model/json.ts';

/** A file of an archive. */
type ZipEntry = { name: string; content: string };

export const mapEntry = ({ name, content }: ZipEntry, put: (text: string) => string): ZipEntry => ({
  name: put(name),
  content: put(content),
});

/** A reference that is filled with an archive of files whose names and contents are ASCII, and may have references in them. */
export const inZip = (entries: readonly ZipEntry[]): string =>
  `‹zip:${Buffer.from(JSON.stringify(entries.map(({ name, content }) => [name, content]))).toString('base64url')}›`;

/** Ours are far shorter. */
const maxEncodedLength = 32_768;

/** Files that such a reference names. Undefined for what is none: text of the target may look like one. */
export function entriesIn(encoded: string): ZipEntry[] | undefined {
  if (encoded.length > maxEncodedLength) return undefined;
  const listed = parseJson(Buffer.from(encoded, 'base64url').toString());
  if (!Array.isArray(listed)) return undefined;
  const entries = listed.flatMap((each): ZipEntry[] => {
    const [name, content]: unknown[] = Array.isArray(each) ? each : [];
    return typeof name === 'string' && typeof content === 'string' ? [{ name, content }] : [];
  });
  return entries.length === listed.length ? entries : undefined;
}

/** More than are needed, whatever the sizes of files and names are. */
const maxSpaces = 1_000;

/**
 * A ZIP archive (APPNOTE.TXT 6.3) of text alone: all its bytes are ASCII, so that it goes where texts go. Files are stored as they are, with
 * spaces behind them until their checksum, their size and the place of the next have no byte above 127.
 */
export function plainZip(entries: readonly ZipEntry[] = []): string | undefined {
  if (entries.length === 0) return undefined;
  const files: string[] = [];
  const directory: string[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const text = padded(content, (size) => offset + 30 + name.length + size);
    if (text === undefined || /[^\x20-\x7e]/.test(name)) return undefined;
    const head = fields(2, [20, 0, 0, 0, firstDay]) + fields(4, [crc32(text), text.length, text.length]);
    const begin = head + fields(2, [name.length, 0]);
    directory.push(`PK\x01\x02${fields(2, [20])}${begin}${fields(2, [0, 0, 0])}${fields(4, [0, offset])}${name}`);
    files.push(`PK\x03\x04${begin}${name}${text}`);
    offset += 30 + name.length + text.length;
  }
  const size = directory.join('').length;
  const count = entries.length;
  // The directory's size has to be plain as well: a comment of the last file fills it up.
  const comment = Array.from({ length: 129 }, (_, length) => length).find((length) => isPlain(size + length)) ?? 0;
  const last = directory.pop() ?? '';
  const commented = `${last.slice(0, 32)}${fields(2, [comment])}${last.slice(34)}${' '.repeat(comment)}`;
  const end = fields(2, [0, 0, count, count]) + fields(4, [size + comment, offset]) + fields(2, [0]);
  return `${files.join('')}${directory.join('')}${commented}PK\x05\x06${end}`;
}

/** The first of January 1980, the first that the format knows. */
const firstDay = 0x21;

function padded(content: string, nextAt: (size: number) => number): string | undefined {
  if (/\P{ASCII}/u.test(content)) return undefined;
  for (let length = endingLength; length < maxSpaces; length += 1) {
    const size = content.length + length;
    if (!isPlain(size) || !isPlain(nextAt(size))) continue;
    const begin = content + ' '.repeat(length - endingLength);
    const before = crc32(begin);
    const ending = endings.find((each) => isPlain(crc32(each, before)));
    if (ending !== undefined) return begin + ending;
  }
  return undefined;
}

const endingLength = 10;
/** One in sixteen has a plain checksum. */
const endings = Array.from({ length: 2 ** endingLength }, (_, bits) =>
  [...bits.toString(2).padStart(endingLength, '0')].map((bit) => (bit === '0' ? ' ' : '\n')).join(''),
);

const isPlain = (number: number): boolean => (number & 0x80808080) === 0;

/** Numbers of so many bytes, the lowest first. */
const fields = (bytes: number, numbers: readonly number[]): string =>
  numbers
    .map((number) => String.fromCharCode(...Array.from({ length: bytes }, (_, at) => (number >>> (8 * at)) & 0xff)))
    .join('');
