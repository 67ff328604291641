import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Credentials } from '../kit/certificates.ts';
import type { Logger } from '../kit/logger.ts';
import { followServer, minVersion } from '../kit/tls-server.ts';
import { CallbackProtocol } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { answerFor } from './answer.ts';
import { converseInLdap, isLdap } from './ldap.ts';
import type { Reporter } from './reporter.ts';

/** Whoever is on the internet may connect: each takes little, and not for long. */
const maxConnections = 512;
const options = {
  maxHeaderSize: 8_192,
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  keepAliveTimeout: 1_000,
  connectionsCheckingInterval: 1_000,
};

/**
 * A web server that reports requests whose host or path has a token, and answers all alike. What speaks LDAP is understood as well:
 * where tokens stand in paths, there is one port for all.
 */
export function httpServer(reporter: Reporter): Server {
  const server = bounded(createServer(options, handler(reporter)));
  const serve = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const silent = setTimeout(() => socket.destroy(), options.headersTimeout);
    const drop = () => socket.destroy();
    socket.once('close', () => clearTimeout(silent));
    socket.once('error', drop);
    socket.once('data', (first) => {
      clearTimeout(silent);
      socket.pause();
      socket.unshift(first);
      socket.removeListener('error', drop);
      if (isLdap(first)) converseInLdap(socket, reporter);
      else for (const each of serve) each.call(server, socket);
      process.nextTick(() => socket.resume());
    });
  });
  return server;
}

/**
 * The same over TLS. A client that does not like the certificate has named the host by then, so the name that it asks for counts
 * as a call.
 */
export function httpsServer(reporter: Reporter, credentials: () => Credentials, logger: Logger): Server {
  const server = createSecureServer({ ...options, ...credentials(), minVersion, handshakeTimeout: 5_000 });
  server.on('request', handler(reporter));
  const named = (socket: TLSSocket): void => {
    const { servername, remoteAddress = '' } = socket;
    if (typeof servername === 'string')
      receive(reporter, { isEncrypted: true, address: remoteAddress, texts: [servername], detail: 'TLS handshake' });
  };
  server.on('secureConnection', named);
  server.on('tlsClientError', (_error, socket) => named(socket));
  followServer(server, credentials, logger, 'debug');
  return bounded(server);
}

function bounded<S extends Server>(server: S): S {
  server.maxConnections = maxConnections;
  server.maxRequestsPerSocket = 32;
  server.on('clientError', (_error, socket) => socket.destroy());
  return server;
}

const handler =
  (reporter: Reporter): RequestListener =>
  (request, response) => {
    const { url = '/', method = '' } = request;
    const tokens = receive(reporter, {
      isEncrypted: 'encrypted' in request.socket,
      address: request.socket.remoteAddress ?? '',
      texts: [request.headers.host ?? '', url],
      detail: `${method} ${url}`,
    });
    // Whatever comes as a body is not read.
    request.resume();
    const { status, headers, body } = answerFor(tokens[0], pathOf(request));
    response.writeHead(status, { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) });
    response.end(method === 'HEAD' ? undefined : body);
    response.once('finish', () => request.socket.destroySoon());
  };

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split(/[?#]/, 1)[0] ?? '/';

type HttpCall = { isEncrypted: boolean; address: string; texts: string[]; detail: string };

const receive = (reporter: Reporter, { isEncrypted, address, ...call }: HttpCall): string[] =>
  reporter.receive({
    ...call,
    protocol: isEncrypted ? CallbackProtocol.HTTPS : CallbackProtocol.HTTP,
    address: address.replace(/^::ffff:/, '') || '::',
  });
