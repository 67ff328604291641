import { randomBytes } from 'node:crypto';
import { request as ask } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createFrameReader, maskedText } from './frames.ts';
import { maxHeaderBytes, type WireAnswer, type WireRequest } from './wire.ts';

/** What a server says by itself on a new connection comes at once; it is no answer to the message. */
const greetingMs = 120;
/** An answer of several messages has no longer pause. */
const pauseMs = 150;
/** No message is answered later than this: many are not answered at all. */
const patienceMs = 6_000;
const mostAfterMs = 1_500;

/** Fields of a request that a handshake has of its own, or has no use for. */
const left = /^(?:connection|upgrade|sec-websocket-.*|content-(?:type|length)|host)$/i;

/**
 * Opens a WebSocket on a socket, sends a body as one message, and gives the messages that answer it as lines: with status 200, or with
 * that of the handshake when there is no WebSocket. Source: RFC 6455.
 */
export function askMessage(socket: Socket, { authority, path, headers, body, signal }: WireRequest) {
  return new Promise<WireAnswer>((resolve, reject) => {
    const own = headers.filter(([name]) => !left.test(name));
    const handshake = ask({
      createConnection: () => socket,
      ...{ path, signal, maxHeaderSize: maxHeaderBytes },
      headers: [
        ['Host', authority],
        ['Connection', 'Upgrade'],
        ['Upgrade', 'websocket'],
        ['Sec-WebSocket-Version', '13'],
        ['Sec-WebSocket-Key', randomBytes(16).toString('base64')],
        ...own,
      ].flat(),
    });
    handshake.once('error', reject);
    handshake.once('response', (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: pairsOf(answer.rawHeaders), body: answer });
    });
    handshake.once('upgrade', (answer, _socket, head) => {
      socket.once('error', reject);
      exchange(socket, head, Buffer.from(body ?? '').toString()).then(
        (lines) => resolve({ status: 200, headers: pairsOf(answer.rawHeaders), body: lines }),
        reject,
      );
    });
    handshake.end();
  });
}

const pairsOf = (rawHeaders: readonly string[]) =>
  rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));

/** Resolves with the first message of the answer: its time is that of the answer. */
async function exchange(socket: Socket, head: Buffer, text: string): Promise<Readable> {
  const reader = createFrameReader();
  const messages: string[] = [];
  let heard = () => {};
  const read = (chunk: Buffer) => {
    for (const frame of reader.read(chunk)) messages.push(frame);
    heard();
  };
  socket.on('data', read);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const word = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      heard = () => {
        clearTimeout(timer);
        resolve();
      };
      void closed.then(heard);
    });
  if (head.length > 0) read(head);
  await word(greetingMs);
  messages.length = 0;
  socket.write(maskedText(text));
  const endMs = performance.now() + patienceMs;
  while (messages.length === 0 && !socket.destroyed && performance.now() < endMs)
    await word(Math.max(1, endMs - performance.now()));
  return Readable.from(rest(), { objectMode: false });

  async function* rest(): AsyncGenerator<string> {
    const lastMs = performance.now() + (messages.length === 0 ? 0 : mostAfterMs);
    for (let known = -1; known < messages.length && performance.now() < lastMs; ) {
      known = messages.length;
      await word(pauseMs);
    }
    socket.destroy();
    yield messages.join('\n');
  }
}
