import type { Socket } from 'node:net';
import { Client } from 'undici';
import { ProbeError } from '../../model/probe-error.ts';
import { hangUp } from './connect.ts';
import { maxHeaderBytes, maxHeaderFields, StaleConnection, type Wire } from './wire.ts';

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
  const destroy = () => {
    client.destroy().catch(() => {});
    socket.destroy();
  };
  return {
    version: '1.1',
    async ask({ method, path, headers, body, isLast, signal }) {
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
      return { status: answer.statusCode, headers: pairs(answer.headers), body: answer.body };
    },
    destroy,
    end: () => hangUp(socket).then(destroy),
  };
}

/** undici gives names and values in turn when asked for raw headers; its declaration does not say so. */
function pairs(raw: unknown): [string, string][] {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  if (flat.length > maxHeaderFields * 2)
    throw new ProbeError('too_large', `more than ${maxHeaderFields} header fields`);
  const list: [string, string][] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) list.push([flat[index] ?? '', flat[index + 1] ?? '']);
  return list;
}
