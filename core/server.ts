import {
  constants,
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Code, ConnectError, type ConnectRouter, createContextValues } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import type { Credentials } from '../kit/certificates.ts';
import type { Logger } from '../kit/logger.ts';
import { followServer, minVersion } from '../kit/tls-server.ts';
import { peerAddressKey } from './context.ts';
import { encodeMessagesByProtocol } from './grpc-message.ts';
import { guarded } from './messages/guard.ts';

/** Core's own certificate. With authorities, only clients with a certificate of theirs may connect. */
type ServerTls = { credentials: () => Credentials; log: Logger };

type Server = {
  /** @returns the port that is listened on */
  listen(host: string, port: number): Promise<number>;
  /**
   * Asks clients to leave, and goes on for `delayMs` meanwhile. Then takes no new connections and calls, lets calls in
   * hand end, and closes. Streams without an end are ended.
   */
  close(delayMs?: number): Promise<void>;
};

// A page of 100 findings with evidence of 16 KiB a step is the largest message.
const maxMessageBytes = 32 * 1024 * 1024;
// Longer than the longest call of the contract: a gate waits up to 55 s.
const maxTimeoutMs = 120_000;
const graceMs = 10_000;
const handshakeTimeoutMs = 10_000;

/**
 * Serves gRPC, gRPC-Web and Connect on one port: HTTP/2 in plain text, or with TLS HTTP/2 and HTTP/1.1.
 */
export function createRpcServer(routes: (router: ConnectRouter) => void, tls?: ServerTls): Server {
  const draining = new AbortController();
  const handler = connectNodeAdapter({
    routes: (router) => {
      routes(router);
      encodeMessagesByProtocol(router);
      const { handlers } = router;
      for (const [index, handler] of handlers.entries()) handlers[index] = guarded(handler, maxMessageBytes);
    },
    readMaxBytes: maxMessageBytes,
    // Unknown fields are discarded: keeping millions of them would take memory for nothing.
    binaryOptions: { readUnknownFields: false },
    // A compressed message would have to be unpacked to be looked through, and programs here stand side by side.
    acceptCompression: [],
    maxTimeoutMs,
    shutdownSignal: draining.signal,
    contextValues: ({ socket }) => createContextValues().set(peerAddressKey, socket?.remoteAddress ?? ''),
  });
  const server = tls ? createTlsServer(handler, tls) : createServer(handler);
  const sessions = new Set<ServerHttp2Session>();
  let isLeaving = false;
  server.on('session', (session) => {
    sessions.add(session);
    // A new session is asked to leave at its first call: a connection that ends before any call looks broken.
    session.once('stream', () => isLeaving && announceEnd(session));
    session.once('close', () => sessions.delete(session));
  });
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
      }),
    close: async (delayMs = 0) => {
      isLeaving = true;
      for (const session of sessions) announceEnd(session);
      await sleep(delayMs);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const timer = setTimeout(() => {
        for (const session of sessions) session.destroy();
      }, graceMs);
      draining.abort(new ConnectError('The server is shutting down.', Code.Unavailable));
      await closed;
      clearTimeout(timer);
    },
  };
}

/**
 * Asks a client to make its next calls elsewhere, and accepts all calls that were already sent. If this named the last
 * call that was seen, calls sent in the same moment would be refused. Source: RFC 9113 §6.8.
 */
function announceEnd(session: ServerHttp2Session): void {
  if (!session.destroyed && !session.closed) session.goaway(constants.NGHTTP2_NO_ERROR, maxStreamId);
}

const maxStreamId = 2 ** 31 - 1;

type Handler = ReturnType<typeof connectNodeAdapter>;

function createTlsServer(handler: Handler, { credentials, log }: ServerTls): Http2Server | Http2SecureServer {
  const { ca, ...own } = credentials();
  const mutual = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true };
  const server = createSecureServer(
    { ...own, ...mutual, minVersion, handshakeTimeout: handshakeTimeoutMs, allowHTTP1: true },
    handler,
  );
  followServer(server, credentials, log, 'warn');
  return server;
}
