import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { ScoreSite } from '../case.ts';

/** A request as it was on the wire, and the text of its head. */
type RawRequest = { method: string; target: string; head: string };

/** A server that writes its answers itself, as those do that were made before frameworks looked at them. */
export async function startRaw(answer: (request: RawRequest) => string): Promise<ScoreSite> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => {});
    let received = '';
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = received.slice(0, end + 2);
      const [method = '', target = ''] = head.split(' ', 2);
      socket.end(answer({ method, target, head }), 'latin1');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://shop.localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A whole answer; lines of the head are taken as they are. */
export const rawAnswer = (status: string, headers: string[], body = ''): string =>
  [
    `HTTP/1.1 ${status}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
