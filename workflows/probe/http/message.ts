import { randomBytes } from 'node:crypto';
import { request as ask } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { messagesOf } from '../../model/socket-messages.ts';
import { createFrameReader, maskedText } from './frames.ts';
import type { UnaskedMessages } from './unasked-messages.ts';
import { maxHeaderBytes, type WireAnswer, type WireRequest } from './wire.ts';

/** What a server says by itself on a new connection comes at once; it is no answer to the message. */
const greetingMs = 120;
/** How long the first connection to an address is listened to for what comes again and again. */
const listenMs = 1_200;
/** Whoever listens to what others are told hears all that they say meanwhile. */
const besideMs = 3_000;
/** An answer of several messages has no longer pause. */
const pauseMs = 150;
/** No message is answered later than this: many are not answered at all. */
const patienceMs = 6_000;
const mostAfterMs = 1_500;
/** From the handshake to the first answer: whoever asks waits for eight seconds. */
const allMs = 6_500;
/** What was not answered before is not this time, but for what goes wrong with it. */
const mutePatienceMs = 800;
/** What opens a conversation is answered within this, or not at all. */
const openingMs = 400;

/** Fields of a request that a handshake has of its own, or has no use for. */
const left = /^(?:connection|upgrade|sec-websocket-(?!protocol$).*|content-(?:type|length)|host|referer)$/i;

/**
 * Opens a WebSocket on a socket, sends the messages of a body one after the other, and gives what answers the last one as lines: with
 * status 200, or with that of the handshake when there is no WebSocket. Without a last one all that comes for a while is the answer. Source:
 * RFC 6455.
 */
export function askMessage(socket: Socket, { authority, path, headers, body, signal, unasked }: WireRequest) {
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
      exchange(socket, head, Buffer.from(body ?? '').toString(), unasked).then(
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
async function exchange(socket: Socket, head: Buffer, body: string, known?: UnaskedMessages): Promise<Readable> {
  const startMs = performance.now();
  const reader = createFrameReader();
  let messages: string[] = [];
  let heard = () => {};
  const read = (chunk: Buffer) => {
    for (const frame of reader.read(chunk)) messages.push(frame);
    // Who closes waits for the other side to do so; and who sends without an end is not listened to any longer.
    if (reader.isOver()) socket.destroy();
    heard();
  };
  socket.on('data', read);
  socket.once('close', () => heard());
  const word = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, socket.destroyed ? 0 : ms);
      heard = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const until = async (ms: number, isEnough: () => boolean) => {
    const endMs = performance.now() + ms;
    while (!socket.destroyed && !isEnough() && performance.now() < endMs)
      await word(Math.max(1, endMs - performance.now()));
  };
  if (head.length > 0) read(head);
  const [last = '', ...before] = messagesOf(body).toReversed();
  if (last !== '' && known?.begin()) {
    await until(listenMs, () => false);
    known.learn(messages);
  } else await word(greetingMs);
  for (const opening of before.toReversed()) {
    socket.write(maskedText(opening));
    await word(openingMs);
  }
  if (last === '') {
    // Whoever only listens is told what everybody is.
    await until(besideMs, () => false);
    socket.destroy();
    return Readable.from([messages.join('\n')], { objectMode: false });
  }
  messages = [];
  socket.write(maskedText(last));
  const answers = () => messages.filter((message) => !known?.has(message));
  const waitMs = known?.isMute(last) ? mutePatienceMs : Math.min(patienceMs, startMs + allMs - performance.now());
  await until(waitMs, () => answers().length > 0);
  known?.note(last, answers().length > 0);
  return Readable.from(rest(), { objectMode: false });

  async function* rest(): AsyncGenerator<string> {
    const lastMs = performance.now() + (messages.length === 0 ? 0 : mostAfterMs);
    for (let count = -1; count < answers().length && performance.now() < lastMs && !socket.destroyed; ) {
      count = answers().length;
      await until(pauseMs, () => answers().length > count);
    }
    socket.destroy();
    const answering = answers();
    yield (answering.length > 0 ? answering : messages).join('\n');
  }
}
