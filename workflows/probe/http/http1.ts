import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Client } from 'undici';
import { ProbeError } from '../../model/probe-error.ts';
import { hangUp } from './connect.ts';
import { askFramed, isFramed } from './framed.ts';
import { askMessage } from './message.ts';
import { maxHeaderBytes, maxHeaderFields, StaleConnection, type Wire } from './wire.ts';

/** What an answer may have besides its body: interim answers, its head, the frames of its chunks, trailers. */
const freeBytes = 1024 * 1024;
/** Chunks of one byte cost five more; nobody needs more for them. Source: RFC 9112 §7.1. */
const maxBytesPerByte = 8;

/** HTTP/1.1 on an open socket. Names of fields keep the case that they are given in. */
export function speakHttp1(origin: string, socket: Socket): Wire {
  let isTaken = false;
  const client = new Client(origin, {
    connect: (_options, callback) => {
      // undici connects again by itself; that socket would have no slot. It wants its answer later.
      const isAgain = isTaken;
      isTaken = true;
      setImmediate(() => (isAgain ? callback(new StaleConnection(), null) : callback(null, socket)));
    },
    maxHeaderSize: maxHeaderBytes,
    // The total time limit of each request rules; undici's own ones are coarse.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
  });
  const flow = { readBefore: 0, body: 0 };
  // The parser skips extensions of chunks without a limit or an event.
  const bound = () => {
    if (socket.bytesRead - flow.readBefore > freeBytes + flow.body * maxBytesPerByte)
      socket.destroy(new ProbeError('protocol_error', 'the answer consists of much else than a body'));
  };
  socket.on('readable', bound);
  const destroy = () => {
    client.destroy().catch(() => {});
    socket.destroy();
  };
  return {
    version: '1.1',
    async ask(request) {
      if (request.isMessage) {
        socket.off('readable', bound);
        return askMessage(socket, request);
      }
      if (isFramed(request)) {
        // Node's own client reads as data comes, which no one may wait for beside it.
        socket.off('readable', bound);
        return askFramed(socket, request);
      }
      const { method, path, headers, body, isLast, signal } = request;
      Object.assign(flow, { readBefore: socket.bytesRead, body: 0 });
      const answer = await client.request({
        path,
        method,
        headers: headers.flat(),
        body: body ?? null,
        signal,
        reset: isLast,
        responseHeaders: 'raw',
      });
      // A failing body is the reader's matter; without this it would also be nobody's, and end the process.
      answer.body.on('error', () => {});
      return { status: answer.statusCode, headers: pairs(answer.headers), body: counted(answer.body, flow) };
    },
    destroy,
    end: () => hangUp(socket).then(destroy),
  };
}

const counted = (body: Readable, flow: { body: number }): Readable =>
  Readable.from(
    (async function* () {
      for await (const chunk of body) {
        flow.body += chunk.length;
        yield chunk;
      }
    })(),
    { objectMode: false },
  );

/** undici gives names and values in turn when asked for raw headers; its declaration does not say so. */
function pairs(raw: unknown): [string, string][] {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  if (flat.length > maxHeaderFields * 2)
    throw new ProbeError('too_large', `more than ${maxHeaderFields} header fields`);
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) list.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return list;
}
