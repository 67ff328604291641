import { randomBytes } from 'node:crypto';

/** Longer ones are not kept, and what is said in all is cut there. */
const maxBytes = 1024 * 1024;
const [continued, text, binary, closing] = [0x0, 0x1, 0x2, 0x8];

/** A text as a client sends it, in one frame. Source: RFC 6455 §5.2, §5.3. */
export function maskedText(value: string): Buffer {
  const payload = Buffer.from(value.toWellFormed());
  const mask = randomBytes(4);
  for (const [index, byte] of payload.entries()) payload[index] = byte ^ (mask[index % 4] ?? 0);
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : payload.length < 65_536
        ? Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff])
        : longHead(payload.length);
  return Buffer.concat([head, mask, payload]);
}

function longHead(length: number): Buffer {
  const head = Buffer.alloc(10);
  head.set([0x81, 0xff]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** @property isOver the server closes, or has said more than is read */
type FrameReader = { read(chunk: Buffer): string[]; isOver(): boolean };

/** Reads frames of a server, however they are divided: the texts of whole messages. What is too long ends what is read. */
export function createFrameReader(): FrameReader {
  let chunks: Buffer[] = [];
  const parts: Buffer[] = [];
  let [total, waitingBytes, wantedBytes] = [0, 0, 2];
  let isClosing = false;
  return {
    isOver: () => isClosing || total > maxBytes,
    read(chunk) {
      total += chunk.length;
      if (total > maxBytes) return [];
      chunks.push(chunk);
      waitingBytes += chunk.length;
      // A frame in many pieces is put together once.
      if (waitingBytes < wantedBytes) return [];
      let waiting = Buffer.concat(chunks);
      const messages: string[] = [];
      let next = nextFrame(waiting);
      while (typeof next !== 'number') {
        waiting = waiting.subarray(next.length);
        isClosing ||= next.code === closing;
        if (next.code === continued || next.code === text || next.code === binary) parts.push(next.payload);
        if (next.isLast && parts.length > 0) messages.push(Buffer.concat(parts.splice(0)).toString());
        next = nextFrame(waiting);
      }
      [chunks, waitingBytes, wantedBytes] = [[waiting], waiting.length, next];
      return messages;
    },
  };
}

type Frame = { code: number; isLast: boolean; payload: Buffer; length: number };

/** How many bytes it takes in all, until they are there. A server masks nothing. */
function nextFrame(bytes: Buffer): Frame | number {
  if (bytes.length < 2) return 2;
  const short = bytes.readUInt8(1) & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return start;
  const size = start === 2 ? short : start === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const length = start + size;
  if (bytes.length < length) return length;
  const head = bytes.readUInt8(0);
  return { code: head & 0x0f, isLast: (head & 0x80) !== 0, payload: bytes.subarray(start, length), length };
}
