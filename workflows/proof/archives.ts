import { crc32, gzipSync } from 'node:zlib';
import { parseJson } from '../model/json.ts';
import { textOfBytes } from '../model/wire-bytes.ts';

/** A file of an archive, or a symbolic link to another path. Names and contents may have references in them. */
export type ArchiveEntry = { name: string; content: string; isLink?: true };

export const archiveFormats = ['zip', 'tar', 'targz'] as const;
export type ArchiveFormat = (typeof archiveFormats)[number];

export const mapEntry = (entry: ArchiveEntry, put: (text: string) => string): ArchiveEntry => ({
  ...entry,
  name: put(entry.name),
  content: put(entry.content),
});

/** A reference that is filled with an archive of files. */
export const inArchive = (format: ArchiveFormat, entries: readonly ArchiveEntry[]): string => {
  const listed = entries.map(({ name, content, isLink }) => [name, content, ...(isLink ? [true] : [])]);
  return `‹${format}:${Buffer.from(JSON.stringify(listed)).toString('base64url')}›`;
};

export const inZip = (entries: readonly ArchiveEntry[]): string => inArchive('zip', entries);

/** Ours are far shorter. */
const maxEncodedLength = 32_768;

/** Files that such a reference names. Undefined for what is none: text of the target may look like one. */
export function entriesIn(encoded: string): ArchiveEntry[] | undefined {
  if (encoded.length > maxEncodedLength) return undefined;
  const listed = parseJson(Buffer.from(encoded, 'base64url').toString());
  if (!Array.isArray(listed)) return undefined;
  const entries = listed.flatMap((each): ArchiveEntry[] => {
    const [name, content, isLink]: unknown[] = Array.isArray(each) ? each : [];
    return typeof name === 'string' && typeof content === 'string'
      ? [{ name, content, ...(isLink === true && { isLink }) }]
      : [];
  });
  return entries.length === listed.length ? entries : undefined;
}

/** An archive as a text that stands for its bytes. Undefined for none, and for names that the formats cannot hold. */
export function archiveOf(format: ArchiveFormat, entries: readonly ArchiveEntry[] = []): string | undefined {
  if (entries.length === 0 || entries.some(({ name }) => !/^[\x20-\x7e]{1,99}$/.test(name))) return undefined;
  if (format === 'zip') return textOfBytes(zipped(entries));
  const tar = tarred(entries);
  return textOfBytes(format === 'tar' ? tar : gzipSync(tar));
}

/** APPNOTE.TXT 6.3: files are stored as they are. */
function zipped(entries: readonly ArchiveEntry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, isLink } of entries) {
    const data = Buffer.from(content);
    const fixed = Buffer.concat([
      fields(2, [20, 0, 0, 0, firstDay]),
      fields(4, [crc32(data), data.length, data.length]),
      fields(2, [name.length, 0]),
    ]);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, Buffer.from(name), data]);
    // Made on Unix, whose modes stand in the upper half.
    const mode = isLink ? 0o120777 : 0o100644;
    const attributes = Buffer.concat([fields(2, [0, 0, 0]), fields(2, [0, mode]), fields(4, [offset])]);
    directory.push(Buffer.from('PK\x01\x02'), fields(2, [(3 << 8) | 20]), fixed, attributes, Buffer.from(name));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const count = entries.length;
  const end = [fields(2, [0, 0, count, count]), fields(4, [listed.length, offset]), fields(2, [0])];
  return Buffer.concat([...files, listed, Buffer.from('PK\x05\x06'), ...end]);
}

/** The first of January 1980, the first that the format knows. */
const firstDay = 0x21;

/** Numbers of so many bytes, the lowest first. */
const fields = (bytes: number, numbers: readonly number[]): Buffer =>
  Buffer.from(numbers.flatMap((number) => Array.from({ length: bytes }, (_, at) => (number >>> (8 * at)) & 0xff)));

const block = 512;

/** POSIX.1-1988, "ustar". */
function tarred(entries: readonly ArchiveEntry[]): Buffer {
  const files = entries.map(({ name, content, isLink }) => {
    const data = isLink ? Buffer.alloc(0) : Buffer.from(content);
    const head = Buffer.alloc(block);
    const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
    head.write(name, 0);
    head.write(octal(isLink ? 0o777 : 0o644, 7), 100);
    head.write(octal(0, 7), 108);
    head.write(octal(0, 7), 116);
    head.write(octal(data.length, 11), 124);
    head.write(octal(0, 11), 136);
    head.write(' '.repeat(8), 148);
    head.write(isLink ? '2' : '0', 156);
    if (isLink) head.write(content.slice(0, 99), 157);
    head.write('ustar\x0000', 257);
    head.write(
      `${octal(
        head.reduce((sum, byte) => sum + byte, 0),
        6,
      )}\0 `,
      148,
    );
    return Buffer.concat([head, data, Buffer.alloc((block - (data.length % block)) % block)]);
  });
  return Buffer.concat([...files, Buffer.alloc(2 * block)]);
}
