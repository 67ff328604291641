import type { Socket } from 'node:net';
import { CallbackProtocol } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import type { Reporter } from './reporter.ts';

/** Every message of LDAP is a sequence of BER. No method of HTTP begins so. Source: RFC 4511 §4.1.1, §5.1. */
const sequence = 0x30;
const integer = 0x02;
const bindRequest = 0x60;
const searchRequest = 0x63;
/** Type of the response to each request that gets one, and its result. Source: RFC 4511 §4.2.2, §4.5.2, §4.1.9. */
const responses: Readonly<Record<number, readonly [type: number, resultCode: number]>> = {
  [bindRequest]: [0x61, 0],
  [searchRequest]: [0x65, 32],
};

const maxMessageBytes = 4_096;
const maxMessages = 8;
const timeoutMs = 10_000;

/** Whether a connection begins with a message of LDAP. */
export const isLdap = (first: Uint8Array): boolean => first[0] === sequence;

/** A directory that lets everybody in, reports searches for names with a token, and has no entry at all. */
export function converseInLdap(socket: Socket, reporter: Reporter): void {
  let messages = 0;
  let waiting = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  socket.on('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    waiting = Buffer.concat([waiting, data]);
    for (;;) {
      const length = messageLength(waiting);
      if (length === undefined || length > maxMessageBytes || messages > maxMessages) return void socket.destroy();
      if (length === 0 || waiting.length < length) return;
      const message = waiting.subarray(0, length);
      waiting = waiting.subarray(length);
      messages += 1;
      const answer = answerTo(message, (name) =>
        reporter.receive({
          protocol: CallbackProtocol.LDAP,
          address: socket.remoteAddress?.replace(/^::ffff:/, '') ?? '::',
          texts: [name],
          detail: 'search',
        }),
      );
      if (!answer) return void socket.end();
      socket.write(answer);
    }
  });
}

/** Bytes of the first message, 0 while too few have come to say. Undefined for what is none. */
function messageLength(bytes: Buffer): number | undefined {
  const [tag, first] = bytes;
  if (tag !== undefined && tag !== sequence) return undefined;
  if (first === undefined) return 0;
  if (first < 0x80) return 2 + first;
  const size = first & 0x7f;
  if (size === 0 || size > 4) return undefined;
  return bytes.length < 2 + size ? 0 : 2 + size + bytes.readUIntBE(2, size);
}

/** Undefined where the conversation ends. */
function answerTo(message: Buffer, search: (name: string) => void): Buffer | undefined {
  const first = message[1] ?? 0;
  const start = 2 + (first < 0x80 ? 0 : first & 0x7f);
  const idLength = message[start + 1] ?? 0;
  if (message[start] !== integer || idLength > 4) return undefined;
  const id = message.subarray(start, start + 2 + idLength);
  const type = message[start + 2 + idLength] ?? 0;
  const response = responses[type];
  if (!response) return undefined;
  if (type === searchRequest) search(message.toString('latin1', start));
  // A result code, no name and no message.
  const result = Buffer.from([response[0], 7, 0x0a, 1, response[1], 0x04, 0, 0x04, 0]);
  return Buffer.concat([Buffer.from([sequence, id.length + result.length]), id, result]);
}
