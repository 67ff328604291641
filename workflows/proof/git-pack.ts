import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';

export type GitObject = { type: 'commit' | 'tree' | 'blob' | 'tag'; content: Buffer };

/** What one pack may grow to when it is unpacked, and each object in it. A pack of a hostile host can claim anything. */
const maxObjectBytes = 8 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;
const maxObjects = 100_000;

const types = ['', 'commit', 'tree', 'blob', 'tag'] as const;
const offsetDelta = 6;
const referenceDelta = 7;

/**
 * The objects of a pack file by their SHA-1, deltas resolved. Whatever cannot be read ends the reading; what came before is given.
 * Source: https://git-scm.com/docs/pack-format
 */
export function readPack(bytes: Uint8Array): Map<string, GitObject> {
  const pack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const objects = new Map<string, GitObject>();
  if (pack.length < 12 || pack.toString('latin1', 0, 4) !== 'PACK' || ![2, 3].includes(pack.readUInt32BE(4)))
    return objects;
  const byOffset = new Map<number, GitObject>();
  const count = Math.min(pack.readUInt32BE(8), maxObjects);
  let offset = 12;
  let total = 0;
  try {
    for (let index = 0; index < count && total < maxTotalBytes; index += 1) {
      const { object, end } = readEntry(pack, offset, byOffset, objects);
      if (object) {
        byOffset.set(offset, object);
        objects.set(idOf(object), object);
        total += object.content.length;
      }
      offset = end;
    }
  } catch {
    // A cut or broken pack: the objects before the fault are whole, and each has its checksum as its name.
  }
  return objects;
}

/** SHA-1 over "type size\0content", as Git names objects. */
const idOf = ({ type, content }: GitObject): string =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');

type Entry = { object: GitObject | undefined; end: number };

function readEntry(
  pack: Buffer,
  start: number,
  byOffset: ReadonlyMap<number, GitObject>,
  byId: ReadonlyMap<string, GitObject>,
): Entry {
  const { kind, next } = readHeader(pack, start);
  const type = types[kind];
  if (type) {
    const { content, end } = inflateAt(pack, next);
    return { object: { type, content }, end };
  }
  if (kind === offsetDelta) {
    const { distance, next: data } = readDistance(pack, next);
    return patched(pack, data, byOffset.get(start - distance));
  }
  if (kind === referenceDelta) return patched(pack, next + 20, byId.get(pack.toString('hex', next, next + 20)));
  throw new RangeError(`unknown kind of pack entry: ${kind}`);
}

function patched(pack: Buffer, at: number, base: GitObject | undefined): Entry {
  const { content: delta, end } = inflateAt(pack, at);
  return { object: base && { type: base.type, content: applyDelta(base.content, delta) }, end };
}

/** Kind in bits 4 to 6 of the first byte; the size that follows is not needed: the stream says where it ends. */
function readHeader(pack: Buffer, at: number): { kind: number; next: number } {
  const first = pack.readUInt8(at);
  let next = at + 1;
  let byte = first;
  while (byte & 0x80) byte = pack.readUInt8(next++);
  return { kind: (first >> 4) & 7, next };
}

/** The distance back to the base: big-endian groups of seven bits, each continuation adding one. */
function readDistance(pack: Buffer, at: number): { distance: number; next: number } {
  let next = at;
  let byte = pack.readUInt8(next++);
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = pack.readUInt8(next++);
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  return { distance, next };
}

function inflateAt(pack: Buffer, at: number): { content: Buffer; end: number } {
  // With `info` the result is not the bytes alone, which the types do not say.
  const result: unknown = inflateSync(pack.subarray(at), { info: true, maxOutputLength: maxObjectBytes });
  const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
  return { content: buffer, end: at + engine.bytesWritten };
}

/** Bytes read one after the other. */
type Cursor = { bytes: Buffer; at: number };

const nextByte = (cursor: Cursor): number => cursor.bytes.readUInt8(cursor.at++);

/** Little-endian groups of seven bits. */
function readSize(cursor: Cursor): number {
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = nextByte(cursor);
    size += (byte & 0x7f) * 2 ** shift;
    if (!(byte & 0x80)) return size;
  }
}

/** Only the bytes whose bit is set in the mask are there; the others are zero. */
function readMasked(cursor: Cursor, mask: number, width: number): number {
  let value = 0;
  for (let index = 0; index < width; index += 1) if (mask & (1 << index)) value += nextByte(cursor) * 2 ** (8 * index);
  return value;
}

/** Puts an object together from parts of its base and new bytes. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const cursor = { bytes: delta, at: 0 };
  if (readSize(cursor) !== base.length) throw new RangeError('a delta is not for this base');
  const size = readSize(cursor);
  if (size > maxObjectBytes) throw new RangeError('an object is too large');
  const parts: Buffer[] = [];
  let length = 0;
  while (cursor.at < delta.length && length <= size) {
    const part = nextPart(cursor, base);
    parts.push(part);
    length += part.length;
  }
  if (length !== size) throw new RangeError('a delta gives another size than it says');
  return Buffer.concat(parts);
}

function nextPart(cursor: Cursor, base: Buffer): Buffer {
  const instruction = nextByte(cursor);
  if (instruction & 0x80) {
    const from = readMasked(cursor, instruction, 4);
    const bytes = readMasked(cursor, instruction >> 4, 3) || 0x10000;
    return base.subarray(from, from + bytes);
  }
  const from = cursor.at;
  cursor.at += instruction;
  return cursor.bytes.subarray(from, cursor.at);
}
