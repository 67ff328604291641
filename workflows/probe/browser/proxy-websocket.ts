import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { ProbeError } from '../../model/probe-error.ts';
import { probeErrorFrom } from '../errors.ts';
import { refused } from '../gate/refusal.ts';
import { openSocket, startTls } from '../http/connect.ts';
import { requestTarget } from '../http/request-target.ts';
import { outOfScope, pairs, requestHeaders } from './proxy-forward.ts';
import type { ProxyParts } from './proxy-parts.ts';

/** Passes a WebSocket on: one request of the budget, and a connection for as long as it is open. */
export async function relayWebSocket(
  parts: ProxyParts,
  url: string,
  request: IncomingMessage,
  head: Buffer,
): Promise<void> {
  const { socket } = request;
  const reported = { method: 'GET', url: url.replace(/^http/, 'ws') };
  if (!parts.scope.coversUrl(url)) {
    parts.onRequest({ ...reported, refused: outOfScope(url) });
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return;
  }
  const refusal = refusalOf(parts, url);
  if (refusal) {
    parts.onRequest({ ...reported, refused: refusal });
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return;
  }
  try {
    const target = requestTarget(url);
    await parts.budget.take(parts.signal);
    const slot = await parts.budget.connections.take(parts.signal);
    try {
      const tcp = await openSocket(parts.guard, target, parts.signal);
      tcp.once('close', slot.release);
      const upstream = target.scheme === 'https' ? await startTls(tcp, target.host, parts.signal) : tcp;
      parts.onRequest(reported);
      parts.onWrite();
      upstream.write(handshake(parts, url, target.path, request));
      if (head.length > 0) upstream.write(head);
      await Promise.all([pipeline(socket, upstream), pipeline(upstream, socket)]);
    } finally {
      slot.release();
    }
  } catch (error) {
    const known = probeErrorFrom(error, parts.signal);
    parts.onRequest({ ...reported, failure: known });
    socket.destroy();
  }
}

/** Commands that a page sends over it cannot be read: it is opened where credentials are typed in, and nowhere else. */
function refusalOf({ gate, licence }: ProxyParts, url: string): ProbeError | undefined {
  if (licence === 'credentials') return undefined;
  const refusal = refused('websocket', 'what is sent over a WebSocket may do something');
  gate.count(url, refusal);
  return new ProbeError('refused', refusal.reason);
}

/** Source: RFC 6455 §4.1. */
function handshake(parts: ProxyParts, url: string, path: string, request: IncomingMessage): string {
  const own = pairs(request.rawHeaders).filter(([name]) => /^(host|connection|upgrade)$/i.test(name));
  const fields = [...own, ...requestHeaders(parts, url, request.rawHeaders)];
  return `GET ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}
