import type { TLSSocket } from 'node:tls';

const types = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
  altsvc: 10,
};
export const endStream = 1;
export const endHeaders = 4;

/** Source: RFC 9113 §4.1. */
export function frame(
  type: keyof typeof types,
  flags: number,
  stream: number,
  payload: Uint8Array = new Uint8Array(),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(types[type], 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** A literal field without Huffman coding and without the table. Source: RFC 7541 §6.2.2. */
export const literal = (name: string, value: string) =>
  Buffer.concat([Buffer.of(0, name.length), Buffer.from(name), integer(value.length, 7), Buffer.from(value)]);

function integer(value: number, bits: number): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.of(value);
  const bytes = [most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}

/** ":status: 200" of the static table. */
export const ok = Buffer.of(0x88);

/** A field of 4,000 bytes put into the table once, and named by one byte each time after. */
export const bomb = Buffer.concat([
  ok,
  Buffer.of(0x40, 1),
  Buffer.from('x'),
  integer(4_000, 7),
  Buffer.alloc(4_000, 'b'),
  Buffer.alloc(12_000, 0xbe),
]);

/** Writes for as long as the other side reads. */
export function endless(socket: TLSSocket, chunk: Buffer): void {
  const pump = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pump);
  pump();
}

export const repeat = (chunk: Buffer, times = 500) => Buffer.concat(Array<Buffer>(times).fill(chunk));
