import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A real web server on this machine that is audited. */
export type Site = {
  port: number;
  requests: { method: string; url: string }[];
  openSockets(): number;
  /** When the last socket was closed. Epoch milliseconds; 0 when none ever was. */
  lastClosedMs(): number;
  close(): Promise<void>;
};

export async function openSite(handle: Handler): Promise<Site> {
  const requests: Site['requests'] = [];
  const sockets = new Set<Socket>();
  let lastClosedMs = 0;
  const server: Server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '' });
    handle(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      lastClosedMs = Date.now();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    openSockets: () => sockets.size,
    lastClosedMs: () => lastClosedMs,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with a page. */
export const page = (
  response: ServerResponse,
  html: string,
  status = 200,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
};
