import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { acceptWebSockets } from '../../fixtures/web-socket.ts';
import type { AuditOptions } from '../../workflows/checks/harness.ts';
import type { ScoreSite } from '../case.ts';

type ServerSettings = {
  /** PEM; with it the site speaks HTTPS. */
  tls?: { key: string; cert: string };
  /** Its name; "shop.localhost" by default. */
  host?: string;
  options?: AuditOptions;
  /** With it the site takes WebSockets, and answers each text that comes through one. */
  answerText?: (text: string, handshake: IncomingMessage) => string;
  /** Ends what the site has open besides its server. */
  close?: () => unknown;
};

/** Starts an Express application, or any other listener of requests. */
export async function startApp(
  app: Express | RequestListener,
  { tls, host = 'shop.localhost', options, answerText, close }: ServerSettings = {},
): Promise<ScoreSite> {
  const server: Server = tls ? createTlsServer(tls, app) : createServer(app);
  if (answerText) acceptWebSockets(server, (handshake, text, answer) => answer(answerText(text, handshake)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${port}`,
    ...(options ? { options } : {}),
    close: async () => {
      const ended = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await ended;
      await close?.();
    },
  };
}
