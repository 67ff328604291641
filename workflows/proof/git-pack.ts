import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';

export type GitObject = { type: 'commit' | 'tree' | 'blob' | 'tag'; content: Buffer };

/** What one pack may grow to when it is unpacked, deltas included, and each object in it. A pack of a hostile host can claim anything. */
const maxObjectBytes = 8 * 1024 * 1024;
export const maxUnpackedBytes = 24 * 1024 * 1024;
/** Unpacking takes some 50 µs for the smallest object. */
const maxObjects = 10_000;

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
  const source: PackSource = { pack, byOffset, byId: objects, bytesLeft: maxUnpackedBytes };
  let offset = 12;
  try {
    for (let index = 0; index < count; index += 1) {
      const { object, end } = readEntry(source, offset);
      if (object) {
        byOffset.set(offset, object);
        objects.set(idOf(object), object);
      }
      offset = end;
    }
  } catch {
    // A cut or broken pack: the objects before the fault are whole, and each has its checksum as its name.
  }
  return objects;
}

/** How many objects a pack says that it has; 0 for what is none. */
export const objectsIn = (bytes: Uint8Array): number =>
  bytes.length < 12 || Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'PACK'
    ? 0
    : Buffer.from(bytes.subarray(8, 12)).readUInt32BE();

/** SHA-1 over "type size\0content", as Git names objects. */
const idOf = ({ type, content }: GitObject): string =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');

const minChunkBytes = 64;
const maxChunkBytes = 64 * 1024;

type PackSource = {
  pack: Buffer;
  byOffset: ReadonlyMap<number, GitObject>;
  byId: ReadonlyMap<string, GitObject>;
  /** That may still be unpacked. */
  bytesLeft: number;
};

type PackEntry = { object: GitObject | undefined; end: number };

function readEntry(source: PackSource, start: number): PackEntry {
  const { pack, byOffset, byId } = source;
  const { kind, size, next } = readHeader(pack, start);
  const type = types[kind];
  if (type) {
    const { content, end } = inflateAt(source, next, size);
    return { object: { type, content }, end };
  }
  if (kind === offsetDelta) {
    const { distance, next: data } = readDistance(pack, next);
    return patched(source, data, size, byOffset.get(start - distance));
  }
  if (kind === referenceDelta) return patched(source, next + 20, size, byId.get(pack.toString('hex', next, next + 20)));
  throw new RangeError(`unknown kind of pack entry: ${kind}`);
}

function patched(source: PackSource, at: number, size: number, base: GitObject | undefined): PackEntry {
  const { content: delta, end } = inflateAt(source, at, size);
  return { object: base && { type: base.type, content: applyDelta(source, base.content, delta) }, end };
}

/** @throws RangeError when it would be too much */
function take(source: PackSource, bytes: number): void {
  source.bytesLeft -= bytes;
  if (bytes > maxObjectBytes || source.bytesLeft < 0) throw new RangeError('a pack is too large');
}

/** Kind in bits 4 to 6 of the first byte; the size that it is said to have, from its last four bits on. */
function readHeader(pack: Buffer, at: number): { kind: number; size: number; next: number } {
  const first = pack.readUInt8(at);
  let next = at + 1;
  let size = first & 0xf;
  for (let byte = first, factor = 16; byte & 0x80; factor *= 128) {
    byte = pack.readUInt8(next++);
    size += (byte & 0x7f) * factor;
  }
  return { kind: (first >> 4) & 7, size, next };
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

/** @param size that it is said to have: zlib takes as much memory at once, so that small objects keep no large buffers */
function inflateAt(source: PackSource, at: number, size: number): { content: Buffer; end: number } {
  const chunkSize = Math.min(Math.max(size, minChunkBytes), maxChunkBytes);
  const maxOutputLength = Math.max(1, Math.min(maxObjectBytes, source.bytesLeft));
  // With `info` the result is not the bytes alone, which the types do not say.
  const result: unknown = inflateSync(source.pack.subarray(at), { info: true, maxOutputLength, chunkSize });
  const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
  take(source, buffer.length);
  return { content: buffer, end: at + engine.bytesWritten };
}

/** Bytes read one after the other. */
type PackCursor = { bytes: Buffer; at: number };

const nextByte = (cursor: PackCursor): number => cursor.bytes.readUInt8(cursor.at++);

/** Little-endian groups of seven bits. */
function readSize(cursor: PackCursor): number {
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = nextByte(cursor);
    size += (byte & 0x7f) * 2 ** shift;
    if (!(byte & 0x80)) return size;
  }
}

/** Only the bytes whose bit is set in the mask are there; the others are zero. */
function readMasked(cursor: PackCursor, mask: number, width: number): number {
  let value = 0;
  for (let index = 0; index < width; index += 1) if (mask & (1 << index)) value += nextByte(cursor) * 2 ** (8 * index);
  return value;
}

/** Puts an object together from parts of its base and new bytes. */
function applyDelta(source: PackSource, base: Buffer, delta: Buffer): Buffer {
  const cursor = { bytes: delta, at: 0 };
  if (readSize(cursor) !== base.length) throw new RangeError('a delta is not for this base');
  const size = readSize(cursor);
  take(source, size);
  const object = Buffer.alloc(size);
  let length = 0;
  while (cursor.at < delta.length) {
    const part = nextPart(cursor, base);
    if (part.length === 0 || length + part.length > size) throw new RangeError('a delta has a part that cannot be');
    length += part.copy(object, length);
  }
  if (length !== size) throw new RangeError('a delta gives another size than it says');
  return object;
}

function nextPart(cursor: PackCursor, base: Buffer): Buffer {
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
