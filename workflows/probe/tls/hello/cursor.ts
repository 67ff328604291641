import { ProbeError } from '../../../model/probe-error.ts';

/** Reads fields, most significant byte first, out of what a stranger sent. What ends too early is a ProbeError. */
export type Cursor = {
  uint8(): number;
  uint16(): number;
  uint24(): number;
  take(length: number): Buffer;
  /** Bytes whose length stands before them, in so many bytes (RFC 8446 §3.4). */
  vector(lengthBytes: 1 | 2 | 3): Buffer;
  /** Bytes that are left. */
  left(): number;
};

export function cursorOver(bytes: Buffer): Cursor {
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > bytes.length - at)
      throw new ProbeError('protocol_error', 'a TLS message of the server ends before its fields do');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const uint = (length: 1 | 2 | 3): number => take(length).readUIntBE(0, length);
  return {
    uint8: () => uint(1),
    uint16: () => uint(2),
    uint24: () => uint(3),
    take,
    vector: (lengthBytes) => take(uint(lengthBytes)),
    left: () => bytes.length - at,
  };
}

/** Bytes with their length before them. */
export function vector(lengthBytes: 1 | 2 | 3, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(body.length, 0, lengthBytes);
  return Buffer.concat([length, body]);
}

export const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
