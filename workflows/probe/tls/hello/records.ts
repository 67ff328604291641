import { ProbeError } from '../../../model/probe-error.ts';

/** Content of a record, or a whole message out of one or several of them. */
export type Piece = { type: 'alert'; isFatal: boolean; code: number } | { type: 'message'; kind: number; body: Buffer };

/** A flight has some 4 KiB, with long chains and lists of authorities some 40 KiB. */
const maxBytes = 256 * 1024;
const maxRecords = 512;
/** RFC 5246 §6.2.3: 2^14 with what encryption may add. */
const maxRecordBytes = 16_384 + 2_048;

/** Puts messages together out of the bytes of a connection, as they come (RFC 8446 §5.1). */
type RecordReader = {
  /** @throws ProbeError `tls_failed` for what is not TLS, `protocol_error`, `too_large` */
  push(chunk: Uint8Array): Piece[];
};

export function createRecordReader(): RecordReader {
  let input: Buffer = Buffer.alloc(0);
  let messages: Buffer = Buffer.alloc(0);
  let [bytes, records] = [0, 0];

  const piecesOf = (type: number, content: Buffer): Piece[] => {
    if (type === 21) return alertIn(content);
    if (type !== 22) return [];
    messages = Buffer.concat([messages, content]);
    const pieces: Piece[] = [];
    for (let length = messageLength(messages); length !== undefined; length = messageLength(messages)) {
      pieces.push({ type: 'message', kind: messages[0] ?? 0, body: messages.subarray(4, length) });
      messages = messages.subarray(length);
    }
    return pieces;
  };

  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ProbeError('too_large', `the server's hello has more than ${maxBytes} bytes`);
      input = Buffer.concat([input, chunk]);
      const pieces: Piece[] = [];
      for (let length = recordLength(input); length !== undefined; length = recordLength(input)) {
        records += 1;
        if (records > maxRecords)
          throw new ProbeError('too_large', `the server's hello has more than ${maxRecords} records`);
        pieces.push(...piecesOf(input[0] ?? 0, input.subarray(5, length)));
        input = input.subarray(length);
      }
      return pieces;
    },
  };
}

/** Length of the first record with its head; undefined when it is not there as a whole. */
function recordLength(input: Buffer): number | undefined {
  const [type, major] = input;
  if (type === undefined) return undefined;
  if (type < 20 || type > 24 || (major !== undefined && major !== 3))
    throw new ProbeError('tls_failed', 'the server answers with something else than TLS');
  if (input.length < 5) return undefined;
  const length = input.readUInt16BE(3);
  if (length > maxRecordBytes)
    throw new ProbeError('protocol_error', 'a TLS record of the server is longer than any may be');
  return input.length < 5 + length ? undefined : 5 + length;
}

function messageLength(messages: Buffer): number | undefined {
  if (messages.length < 4) return undefined;
  const length = 4 + messages.readUIntBE(1, 3);
  if (length > maxBytes) throw new ProbeError('too_large', 'a TLS message of the server is longer than any may be');
  return messages.length < length ? undefined : length;
}

function alertIn(content: Buffer): Piece[] {
  const [level, code] = content;
  if (level === undefined || code === undefined)
    throw new ProbeError('protocol_error', 'an alert of the server is cut off');
  return [{ type: 'alert', isFatal: level !== 1, code }];
}
