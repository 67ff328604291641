import { once } from 'node:events';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { ProbeError } from '../types.ts';

export type Body = {
  bytes: Uint8Array;
  /** There was more, or the answer broke off. */
  truncated: boolean;
  /** The wire was read to the end of the answer. */
  complete: boolean;
};

/** What may be read from the wire for a body of the largest size: no useful coding makes bodies larger than this. */
const maxWireBytes = (maxBytes: number) => maxBytes * 2 + 64 * 1024;
/** Codings one over the other; none needs more than one, and each costs a decoder. */
const maxCodings = 3;

/**
 * Reads a body, decompressed as its Content-Encoding says, and keeps at most `maxBytes` of it: a bomb is cut where it
 * gets too large, without holding what lies beyond. What came before a break, or before the time was up, is kept.
 * @throws ProbeError `protocol_error` when the coding is unknown or broken from the start, or the signal's `canceled`
 */
export async function readBody(
  wire: Readable,
  contentEncoding: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Body> {
  const codings = codingsOf(contentEncoding);
  const kept: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of await decoded(wire, codings, maxBytes)) {
      const room = maxBytes - size;
      kept.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.length, room);
      if (chunk.length > room) return { bytes: Buffer.concat(kept), truncated: true, complete: false };
    }
    return { bytes: Buffer.concat(kept), truncated: false, complete: true };
  } catch (error) {
    if (signal.reason instanceof ProbeError && signal.reason.code === 'canceled') throw signal.reason;
    if (size === 0 && isBrokenCoding(error))
      throw new ProbeError('protocol_error', `the body is not ${contentEncoding}`, { cause: error });
    return { bytes: Buffer.concat(kept), truncated: true, complete: false };
  } finally {
    wire.destroy();
  }
}

function codingsOf(contentEncoding: string): string[] {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > maxCodings) throw new ProbeError('protocol_error', 'too many content codings');
  return codings.reverse();
}

async function decoded(wire: Readable, codings: readonly string[], maxBytes: number): Promise<AsyncIterable<Buffer>> {
  if (codings.length === 0) return wire;
  let stream: Readable = Readable.from(limited(wire, maxWireBytes(maxBytes)), { objectMode: false });
  for (const coding of codings) stream = pipeline(stream, await decoderFor(coding, stream), () => {});
  return stream;
}

async function* limited(wire: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of wire) {
    size += chunk.length;
    if (size > maxBytes) throw new ProbeError('too_large', 'the compressed body is too large');
    yield chunk;
  }
}

async function decoderFor(coding: string, source: Readable): Promise<Transform> {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    case 'deflate':
      return (await startsLikeZlib(source)) ? createInflate() : createInflateRaw();
    default:
      throw new ProbeError('protocol_error', `unknown content coding ${JSON.stringify(coding)}`);
  }
}

/** "deflate" is sent with and without its zlib header. Source: RFC 9110 §8.4.1.2. */
async function startsLikeZlib(source: Readable): Promise<boolean> {
  await Promise.race([once(source, 'readable'), once(source, 'end')]);
  const first: Buffer | null = source.read(1);
  if (first === null) return true;
  source.unshift(first);
  return ((first[0] ?? 0) & 0x0f) === 8;
}

const isBrokenCoding = (error: unknown) =>
  error instanceof ProbeError
    ? error.code === 'protocol_error'
    : error instanceof Error && 'code' in error && /^(Z_|ZSTD_|ERR__|ERR_BROTLI|ERR_ZSTD)/.test(String(error.code));
