import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { isOn } from './own-page.ts';
import { forward, outOfScope } from './proxy-forward.ts';
import type { ProxyParts } from './proxy-parts.ts';
import { relayWebSocket } from './proxy-websocket.ts';

/**
 * A forward proxy on a loopback port for one visit of the browser, its only way to the network. It ends TLS itself, so
 * each request passes the scope, the guard, the budget and the recorder as those of the HTTP instrument do.
 * @returns its port
 */
export async function startBrowserProxy(parts: ProxyParts): Promise<number> {
  /** Origin that a connection was opened to with CONNECT. */
  const origins = new WeakMap<Socket, string>();
  const sockets = new Set<Socket>();

  const urlOf = (request: IncomingMessage): string => {
    const origin = origins.get(request.socket);
    return origin === undefined ? (request.url ?? '') : origin + (request.url ?? '/');
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    forward(parts, urlOf(request), request, response);
  });
  server.on('upgrade', (request, _socket, head) => {
    relayWebSocket(parts, urlOf(request), request, head);
  });
  server.on('connect', (request, _socket, head) => {
    acceptTunnel(parts, request.url ?? '', request.socket, head, (inner, origin) => {
      origins.set(inner, origin);
      server.emit('connection', inner);
    }).catch(() => request.socket.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('clientError', (_error, socket) => socket.destroy());

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const address = server.address() as AddressInfo;
  if (parts.signal.aborted) stop();
  parts.signal.addEventListener('abort', stop, { once: true });
  return address.port;
}

/** A TLS handshake starts with this byte (RFC 8446 §5.1). WebSockets come through tunnels in the clear. */
const tlsHandshakeByte = 0x16;

/** Answers CONNECT: out of scope 403, else takes the connection over as the host would. */
async function acceptTunnel(
  parts: ProxyParts,
  authority: string,
  socket: Socket,
  head: Buffer,
  take: (inner: Socket, origin: string) => void,
): Promise<void> {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(authority) ?? [];
  if (!parts.scope.covers(host, Number(port)) && !isOn(parts.page, `https://${authority}/`)) {
    parts.onRequest({ method: 'CONNECT', url: `https://${authority}/`, refused: outOfScope(authority) });
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return;
  }
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
  if (head.length > 0) socket.unshift(head);
  await once(socket, 'readable', { signal: parts.signal });
  const first: Buffer | null = socket.read();
  if (first === null) return void socket.destroy();
  socket.unshift(first);
  if (first[0] !== tlsHandshakeByte) return take(socket, `http://${authority}`);
  const secure = new TLSSocket(socket, {
    isServer: true,
    secureContext: parts.certificate,
    ALPNProtocols: ['http/1.1'],
  });
  take(secure, `https://${authority}`);
}
