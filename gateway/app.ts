import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Histogram } from 'prom-client';
import type { Credentials } from '../kit/certificates.ts';
import type { Logger } from '../kit/logger.ts';
import { followServer, minVersion } from '../kit/tls-server.ts';
import { limitAddresses } from './address-limit.ts';
import { type CoreClients, coreApi } from './core.ts';
import { drainable } from './drain.ts';
import { routesOf, usualBodyBytes } from './endpoints.ts';
import { GatewayRefusal, problemOf } from './errors.ts';
import { requestIdOf, requireOneHost, securityHeaders } from './headers.ts';
import { serveDescription } from './openapi/serve.ts';
import { addProblems, sendProblem } from './problems.ts';
import { addRoutes } from './routes.ts';

/** What the gateway works with. */
export type GatewayDeps = {
  clients: CoreClients;
  logger: Logger;
  /** The gateway's own certificate, asked for at each connection; plain HTTP when not given. */
  tls?: () => Credentials;
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: string[];
  /** How long the end is announced before nothing new is taken. Milliseconds, default 500. */
  drainDelayMs?: number;
  /** Answers of 401 to one address in a minute, before requests without a key are refused. */
  maxFailedKeysPerMinute: number;
  /** Seconds of each request, labelled method, route and status. */
  durations?: Histogram<'method' | 'route' | 'status'>;
};

export type Gateway = {
  app: FastifyInstance;
  /** Ends without failing a request. */
  drain(): Promise<void>;
};

/** A request has this long to arrive in full, so that slow senders hold nothing for long. */
const requestTimeoutMs = 30_000;
const handshakeTimeoutMs = 10_000;

/** Builds the HTTP server, ready to listen. It keeps no state worth keeping: any number may run. */
export async function build(deps: GatewayDeps): Promise<Gateway> {
  const routes = routesOf();
  const core = coreApi(deps.clients);
  const app = createServer(deps);
  const drain = drainable(app, deps.drainDelayMs ?? 500);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders, 'x-request-id': request.id });
    requireOneHost(request.raw);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { statusCode: status, elapsedTime } = reply;
    deps.durations?.observe({ method: request.method, route, status }, elapsedTime / 1000);
    const { method, runId } = request;
    request.log.info({ method, route, status, elapsedMs: Math.round(elapsedTime), runId }, 'answered');
  });
  await limitAddresses(app, deps.maxFailedKeysPerMinute);
  addProblems(app, core);
  addRoutes(app, routes, core);
  serveDescription(app, routes);
  await app.ready();
  return { app, drain };
}

function createServer({ logger, tls, trustedProxies }: GatewayDeps): FastifyInstance {
  const app = fastify({
    https: tls ? { ...tls(), minVersion, handshakeTimeout: handshakeTimeoutMs } : null,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: ({ headers }) => requestIdOf(headers),
    trustProxy: trustedProxies.length > 0 && trustedProxies,
    bodyLimit: usualBodyBytes,
    requestTimeout: requestTimeoutMs,
    // As long as a header can be: a path is unknown because of what it says, not because of its length.
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ ...securityHeaders, 'x-request-id': request.id });
      sendProblem(
        new GatewayRefusal('NOT_FOUND', 'There is nothing at this path. Check it: /openapi.json has all paths.'),
        request,
        reply,
      );
    },
    clientErrorHandler: refuseRaw,
  });
  if (tls) followServer(app.server, tls, logger, 'debug');
  return app as unknown as FastifyInstance;
}

const rawRefusals: Record<string, GatewayRefusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: new GatewayRefusal(
    'REQUEST_TIMEOUT',
    'The request did not arrive within 30 seconds. Send it again.',
  ),
  HPE_HEADER_OVERFLOW: new GatewayRefusal(
    'HEADERS_TOO_LARGE',
    'The headers are larger than 16 KiB. Send fewer or shorter ones.',
  ),
};
const notHttp = new GatewayRefusal(
  'BAD_REQUEST',
  'This could not be read as an HTTP/1.1 request. Check the client, and the proxies on the way.',
);

/** Answers what is not HTTP, has too large headers or comes too slowly: such a request reaches no route. */
function refuseRaw(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const requestId = requestIdOf({});
  const { status, headers, body } = problemOf(rawRefusals[error.code ?? ''] ?? notHttp, requestId);
  const text = JSON.stringify(body);
  const all = { ...securityHeaders, ...headers, 'x-request-id': requestId, 'content-length': Buffer.byteLength(text) };
  const lines = Object.entries({ ...all, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}
