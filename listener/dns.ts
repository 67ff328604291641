import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { CallbackProtocol } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import type { Reporter } from './reporter.ts';

/** RFC 1035 §2.3.4, §4.1.1: a question of UDP is no longer. */
const maxQuestionBytes = 512;
const headerBytes = 12;
const maxLabels = 32;

const typeNames: Record<number, string> = { 1: 'A', 2: 'NS', 5: 'CNAME', 6: 'SOA', 15: 'MX', 16: 'TXT', 28: 'AAAA' };

type Question = { name: string; type: number /** Where the question ends. */; end: number };

/**
 * A name server for names with tokens. Questions without one are answered with the name's existence and nothing else, as resolvers
 * that ask label by label need it (RFC 9156); an answer is hardly longer than its question, so it amplifies nothing.
 */
export function dnsServer(reporter: Reporter, address: string | undefined): Socket {
  const socket = createSocket('udp4');
  socket.on('message', (message, { address: from, port }) => {
    const question = readQuestion(message);
    if (!question) return;
    const { name, type } = question;
    const received = {
      protocol: CallbackProtocol.DNS,
      address: from,
      texts: [name],
      detail: typeNames[type] ?? `type ${type}`,
    };
    const [token] = reporter.receive(received);
    const data = token !== undefined && type === 1 && address !== undefined && isIPv4(address) ? address : undefined;
    socket.send(answerTo(message, question, data), port, from);
  });
  return socket;
}

/** The one question of a standard query; undefined for anything else. */
function readQuestion(message: Uint8Array): Question | undefined {
  if (message.length < headerBytes + 5 || message.length > maxQuestionBytes) return undefined;
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  const isQuery = (bytes.readUInt16BE(2) & 0xf800) === 0;
  if (!isQuery || bytes.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = headerBytes;
  for (;;) {
    const length = bytes[at];
    // A question has no name before it that it could point to.
    if (length === undefined || length > 63 || labels.length > maxLabels) return undefined;
    at += 1;
    if (length === 0) break;
    labels.push(bytes.toString('latin1', at, at + length));
    at += length;
  }
  if (at + 4 > bytes.length) return undefined;
  return { name: labels.join('.').toLowerCase(), type: bytes.readUInt16BE(at), end: at + 4 };
}

/** Authoritative, with one record for `address` or with none; for nobody's cache. */
function answerTo(message: Uint8Array, { end }: Question, address: string | undefined): Buffer {
  const head = Buffer.from(message.subarray(0, end));
  const isRecursionDesired = (head.readUInt16BE(2) & 0x0100) !== 0;
  head.writeUInt16BE(0x8400 | (isRecursionDesired ? 0x0100 : 0), 2);
  head.writeUInt16BE(address === undefined ? 0 : 1, 6);
  head.writeUInt32BE(0, 8);
  if (address === undefined) return head;
  // A pointer to the question's name, type A, class IN, no time to live, four bytes.
  const record = Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
  return Buffer.concat([head, record]);
}
