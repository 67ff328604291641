import type { Socket } from 'node:net';
import { ProbeError } from '../../model/probe-error.ts';

/** An answer of a mail server: its code, and its lines without it. Source: RFC 5321 §4.2. */
export type SmtpReply = { code: number; lines: string[] };

/** Longer than any honest answer. */
const maxReplyBytes = 16 * 1024;
const maxLines = 100;

/**
 * Waits for one answer. What comes after it stays in the socket's buffer.
 * @throws ProbeError `protocol_error` for what is no SMTP, `too_large`, or whatever ends the socket
 */
export async function readReply(socket: Socket, signal: AbortSignal): Promise<SmtpReply> {
  let text = '';
  const lines: string[] = [];
  for await (const chunk of chunksOf(socket, signal)) {
    text += chunk.toString('latin1');
    if (text.length > maxReplyBytes || lines.length > maxLines)
      throw new ProbeError('too_large', 'the mail server does not come to an end');
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
      const [, code = '', mark = '', words = ''] = /^(\d{3})([ -]?)(.*?)\r?$/.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 1);
      if (code === '') throw new ProbeError('protocol_error', 'the server does not speak SMTP');
      lines.push(words);
      if (mark !== '-') return { code: Number(code), lines };
    }
  }
  throw new ProbeError('protocol_error', 'the mail server hung up');
}

/** Pieces as they come; the socket goes on when the caller takes no more. */
async function* chunksOf(socket: Socket, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (;;) {
    signal.throwIfAborted();
    const chunk: unknown = socket.read();
    if (chunk instanceof Buffer) yield chunk;
    else if (socket.readableEnded || socket.destroyed) return;
    else await readable(socket, signal);
  }
}

function readable(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const events = ['readable', 'end', 'close'] as const;
    const stop = () => {
      for (const event of events) socket.off(event, done);
      socket.off('error', fail);
      signal.removeEventListener('abort', abort);
    };
    const end = (settle: () => void) => {
      stop();
      settle();
    };
    const done = () => end(resolve);
    const fail = (error: Error) => end(() => reject(error));
    const abort = () => end(() => reject(signal.reason));
    for (const event of events) socket.once(event, done);
    socket.once('error', fail);
    signal.addEventListener('abort', abort, { once: true });
  });
}

export async function say(socket: Socket, words: string, signal: AbortSignal): Promise<SmtpReply> {
  socket.write(`${words}\r\n`);
  return readReply(socket, signal);
}
