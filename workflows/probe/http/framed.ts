import { request as ask } from 'node:http';
import type { Socket } from 'node:net';
import type { HeaderList } from '../../model/http.ts';
import { maxHeaderBytes, type WireAnswer, type WireRequest } from './wire.ts';

/** The request says by itself how long its body is, which need not be so: its body goes onto the wire byte for byte. */
export const isFramed = ({ headers, body }: { headers: HeaderList; body?: unknown }): boolean =>
  body !== undefined && headers.some(([name]) => name.toLowerCase() === 'content-length');

/** Sends such a request as the one request on an open socket. Source: RFC 9112 §6.3. */
export function askFramed(socket: Socket, { method, authority, path, headers, body, signal }: WireRequest) {
  return new Promise<WireAnswer>((resolve, reject) => {
    const fields = headers.some(([name]) => name.toLowerCase() === 'host')
      ? headers
      : [['Host', authority], ...headers];
    const request = ask({
      createConnection: () => socket,
      ...{ method, path, signal },
      headers: fields.flat(),
      maxHeaderSize: maxHeaderBytes,
    });
    request.once('response', (answer) => {
      const { statusCode = 0, rawHeaders } = answer;
      const pairs = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : []));
      resolve({ status: statusCode, headers: pairs, body: answer });
    });
    request.once('error', reject);
    // Node would divide a body that it is given into chunks, or end it. The head leaves in the turn in which the socket is taken.
    request.once('socket', () => setImmediate(() => socket.write(body ?? '')));
    request.flushHeaders();
  });
}
