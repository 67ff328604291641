/** "SQLite format 3", then the size of a page. Source: https://www.sqlite.org/fileformat2.html §1.3. */
const magic = 'SQLite format 3\0';
const headerBytes = 100;
const leafPage = 0x0d;
const interiorPage = 0x05;
const maxPages = 200;
/** A schema's entries and names are fewer and shorter; a page can point to the same place any number of times. */
const maxCells = 10_000;
const maxNameBytes = 800;

/**
 * Names of the tables of an SQLite database, in the order of its schema. The file may be cut off after its first pages.
 * @returns undefined when it is none, or none can be read
 */
export function sqliteTables(body: Uint8Array): string[] | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.toString('latin1', 0, 16) !== magic || bytes.length < headerBytes) return undefined;
  const stored = bytes.readUInt16BE(16);
  const pageBytes = stored === 1 ? 65_536 : stored;
  if (pageBytes < 512) return undefined;
  const found: FoundTables = { names: [], cellsLeft: maxCells };
  const { names } = found;
  const pages = new Set([1]);
  for (const page of pages) {
    const start = (page - 1) * pageBytes;
    const below = readPage(bytes.subarray(start, start + pageBytes), page === 1 ? headerBytes : 0, found);
    for (const each of below) if (pages.size < maxPages) pages.add(each);
  }
  return names.length > 0 ? names : undefined;
}

type FoundTables = { names: string[]; cellsLeft: number };

/** A page of the table that is the schema. @returns the pages below it */
function readPage(page: Buffer, at: number, found: FoundTables): number[] {
  if (page.length < at + 12) return [];
  const type = page[at];
  if (type !== leafPage && type !== interiorPage) return [];
  const cells = page.readUInt16BE(at + 3);
  const list = at + (type === leafPage ? 8 : 12);
  const below: number[] = [];
  for (let index = 0; index < cells && list + index * 2 + 2 <= page.length && found.cellsLeft > 0; index += 1) {
    found.cellsLeft -= 1;
    const cell = page.readUInt16BE(list + index * 2);
    if (cell + 4 > page.length) continue;
    if (type === interiorPage) below.push(page.readUInt32BE(cell));
    else found.names.push(...tableName(page, cell));
  }
  if (type === interiorPage) below.push(page.readUInt32BE(at + 8));
  return below.filter((each) => each > 1);
}

/** A record of type, name, … : the sizes of its columns stand before their values. §2.1. */
function tableName(page: Buffer, cell: number): string[] {
  const payload = varint(page, cell);
  const row = varint(page, payload.next);
  const header = varint(page, row.next);
  const type = varint(page, header.next);
  const name = varint(page, type.next);
  const start = row.next + header.value;
  const [typeBytes, nameBytes] = [textBytes(type.value), textBytes(name.value)];
  if (typeBytes !== 'table'.length || nameBytes > maxNameBytes) return [];
  const word = page.toString('utf8', start, start + typeBytes);
  const text = page.toString('utf8', start + typeBytes, start + typeBytes + nameBytes);
  return word === 'table' && /^[^\p{Cc}\uFFFD]{1,200}$/u.test(text) ? [text] : [];
}

const textBytes = (serialType: number): number =>
  serialType >= 13 && serialType % 2 === 1 ? (serialType - 13) / 2 : 0;

/** Seven bits a byte; nobody's schema needs more than four of them. */
function varint(bytes: Buffer, at: number): { value: number; next: number } {
  let value = 0;
  for (let index = 0; index < 9; index += 1) {
    const byte = bytes[at + index] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  return { value: 0, next: at + 9 };
}
