import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { acceptWebSockets } from '../../fixtures/web-socket.ts';
import type { AuditOptions } from '../../workflows/checks/harness.ts';
import type { ScoreSite } from '../case.ts';

/** @property end when the connection is closed */
export type Talk = { hear(text: string): void; end?(): void };

function acceptTalks(server: Server, converse: NonNullable<ServerSettings['converse']>): void {
  const talks = new WeakMap<Duplex, Talk>();
  acceptWebSockets(
    server,
    (_handshake, text, _answer, socket) => talks.get(socket)?.hear(text),
    (handshake, send, socket) => {
      const talk = converse(send, handshake, () => socket.end());
      talks.set(socket, talk);
      socket.once('close', () => talk.end?.());
    },
  );
}

type ServerSettings = {
  /** PEM; with it the site speaks HTTPS. */
  tls?: { key: string; cert: string };
  /** Its name; "shop.localhost" by default. */
  host?: string;
  options?: AuditOptions;
  /** With it the site takes WebSockets, and answers each text that comes through one. */
  answerText?: (text: string, handshake: IncomingMessage) => string;
  /** With it the site takes WebSockets, and holds each conversation like this. @returns what is done with a text that comes */
  converse?: (send: (text: string) => void, handshake: IncomingMessage, close: () => void) => Talk;
  /** Ends what the site has open besides its server. */
  close?: () => unknown;
};

/** Starts an Express application, or any other listener of requests. */
export async function startApp(
  app: Express | RequestListener,
  { tls, host = 'shop.localhost', options, answerText, converse, close }: ServerSettings = {},
): Promise<ScoreSite> {
  const server: Server = tls ? createTlsServer(tls, app) : createServer(app);
  if (answerText) acceptWebSockets(server, (handshake, text, answer) => answer(answerText(text, handshake)));
  if (converse) acceptTalks(server, converse);
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
