import { randomBytes } from 'node:crypto';

/** Longer ones are not kept, and what is said in all is cut there. */
const maxBytes = 1024 * 1024;
const [continued, text, binary] = [0x0, 0x1, 0x2];

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

/** Reads frames of a server, however they are divided: the texts of whole messages. What is too long ends what is read. */
export function createFrameReader(): { read(chunk: Buffer): string[] } {
  let waiting = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let total = 0;
  return {
    read(chunk) {
      total += chunk.length;
      if (total > maxBytes) return [];
      waiting = Buffer.concat([waiting, chunk]);
      const messages: string[] = [];
      for (let frame = firstFrame(waiting); frame; frame = firstFrame(waiting)) {
        waiting = waiting.subarray(frame.length);
        if (frame.code !== continued && frame.code !== text && frame.code !== binary) continue;
        parts.push(frame.payload);
        if (!frame.isLast) continue;
        messages.push(Buffer.concat(parts).toString());
        parts = [];
      }
      return messages;
    },
  };
}

type Frame = { code: number; isLast: boolean; payload: Buffer; length: number };

/** Undefined until all of it is there. A server masks nothing. */
function firstFrame(bytes: Buffer): Frame | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extra) return undefined;
  const size = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const length = 2 + extra + size;
  if (bytes.length < length) return undefined;
  const head = bytes.readUInt8(0);
  return { code: head & 0x0f, isLast: (head & 0x80) !== 0, payload: bytes.subarray(2 + extra, length), length };
}
