import { once } from 'node:events';
import { addAbortSignal, pipeline, Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { ProbeError } from '../../model/probe-error.ts';

type ReadBody = {
  bytes: Uint8Array;
  /** There was more, or the answer broke off. */
  truncated: boolean;
  /** The wire was read to the end of the answer. */
  complete: boolean;
};

/** What may be read from the wire for a body of the largest size: no useful coding makes bodies larger than this. */
const maxWireBytes = (maxBytes: number) => maxBytes * 2 + 64 * 1024;
/** Nested codings; none needs more than one, and each costs a decoder. */
const maxCodings = 3;
/** A decoder keeps this much to look back at; the coding allows no more in HTTP. Source: RFC 9659 §3. */
const maxZstdWindowLog = 23;

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
): Promise<ReadBody> {
  const codings = codingsOf(contentEncoding);
  const kept: Uint8Array[] = [];
  const onWire = { bytes: 0 };
  let size = 0;
  try {
    for await (const chunk of await decoded(counted(wire, onWire), codings, maxBytes, signal)) {
      const remaining = maxBytes - size;
      kept.push(chunk.length > remaining ? chunk.subarray(0, remaining) : chunk);
      size += Math.min(chunk.length, remaining);
      if (chunk.length > remaining) return { bytes: Buffer.concat(kept), truncated: true, complete: false };
    }
    return { bytes: Buffer.concat(kept), truncated: false, complete: true };
  } catch (error) {
    if (signal.reason instanceof ProbeError && signal.reason.code === 'canceled') throw signal.reason;
    // Redirects and answers without a page often name a coding all the same, and no decoder takes nothing for something.
    if (onWire.bytes === 0 && isBrokenCoding(error) && !(error instanceof ProbeError))
      return { bytes: new Uint8Array(), truncated: false, complete: true };
    if (size === 0 && isBrokenCoding(error))
      throw error instanceof ProbeError
        ? error
        : new ProbeError('protocol_error', `the body is not ${contentEncoding}`, { cause: error });
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

/** Each layer may be a bomb to the next one, and goes on when the wire has ended: all are bounded, and end with the signal. */
async function decoded(
  wire: AsyncIterable<Buffer>,
  codings: readonly string[],
  maxBytes: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Buffer>> {
  let stream = wire;
  for (const coding of codings) {
    const source = Readable.from(limited(stream, maxWireBytes(maxBytes)), { objectMode: false });
    const decoder = await decoderFor(coding, source);
    addAbortSignal(signal, decoder);
    pipeline(source, decoder, () => {});
    stream = decoder;
  }
  return stream;
}

async function* counted(wire: Readable, onWire: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of wire) {
    onWire.bytes += chunk.length;
    yield chunk;
  }
}

async function* limited(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
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
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: maxZstdWindowLog } });
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
