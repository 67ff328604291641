import type { Message } from '@bufbuild/protobuf';
import { isMessage } from '@bufbuild/protobuf';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DocumentSchema } from '../proto/gen/scanaudit/v1/document_pb.ts';
import { chooseEndpoint, mediaTypesOf } from './accept.ts';
import type { CallContext, CoreApi } from './core.ts';
import { type Endpoint, type Route, usualBodyBytes } from './endpoints.ts';
import { GatewayRefusal } from './errors.ts';
import { documentSecurityPolicy, forwardedHeaders, idempotencyHeader, returned } from './headers.ts';
import { toRestJson } from './json.ts';
import { type BodyReader, createBodyReader } from './long-bodies/read-aside.ts';
import { type BodySlots, createBodySlots } from './long-bodies/slots.ts';
import { translate } from './translate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoints of the contract that a route serves. */
    served?: Route;
  }
  interface FastifyRequest {
    /** The scan that the request is about, for the log. */
    runId: string | undefined;
  }
}

/** Serves every route of the contract, and HEAD with every GET. */
export function addRoutes(app: FastifyInstance, routes: readonly Route[], core: CoreApi): void {
  app.decorateRequest('runId', undefined);
  const readLong = createBodyReader();
  const slots = createBodySlots();
  for (const route of routes) {
    const [{ method, path, maxBodyBytes }] = route;
    app.route({
      method,
      url: path.replace(/\{([^}]*)\}/g, ':$1'),
      config: { served: route },
      bodyLimit: maxBodyBytes,
      ...(maxBodyBytes > usualBodyBytes && {
        onRequest: (request, reply) => admitLong(route, core, slots, request, reply),
      }),
      handler: (request, reply) => serve(route, core, readLong, request, reply),
    });
  }
}

/** A long body is read from those only who may make the call, and few at once. Asking costs them a token more. */
async function admitLong(
  [endpoint]: Route,
  core: CoreApi,
  slots: BodySlots,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const announced = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  const hasBody = request.headers['content-length'] ?? request.headers['transfer-encoding'];
  if (hasBody === undefined || announced <= usualBodyBytes) return;
  await core.checkAccess(endpoint.rpc, callContext(request, reply));
  const release = slots.take(request.headers.authorization);
  // Who has gone meanwhile closes nothing any more.
  if (reply.raw.closed) release();
  else reply.raw.once('close', release);
}

async function serve(route: Route, core: CoreApi, readLong: BodyReader, request: FastifyRequest, reply: FastifyReply) {
  // The router takes "/scans//gate" for a scan whose id is empty.
  if (Object.values(request.params as object).includes('')) return reply.callNotFound();
  if (route.length > 1) reply.header('vary', 'accept');
  const endpoint = chooseEndpoint(request.headers.accept, route);
  if (!endpoint)
    throw new GatewayRefusal(
      'NOT_ACCEPTABLE',
      `None of the accepted media types is served here. Send "Accept: ${mediaTypesOf(route).join('" or "Accept: ')}".`,
    );
  const idempotency = endpoint.isIdempotent ? idempotencyHeader(request.raw.headersDistinct['idempotency-key']) : {};
  const context = callContext(request, reply);
  const message = await translate(endpoint, request, readLong, context.signal);
  request.runId = runIdIn(message);
  const answer = await core.call(endpoint.rpc, message, {
    ...context,
    headers: { ...context.headers, ...idempotency },
  });
  request.runId ??= runIdIn(answer);
  return send(endpoint, answer, reply);
}

/** What has not the form of an id is left out: callers may send anything. */
function runIdIn(message: Message): string | undefined {
  const runId = 'runId' in message ? message.runId : undefined;
  return typeof runId === 'string' && /^[0-9a-f-]{36}$/.test(runId) ? runId : undefined;
}

/** What a call to core carries for this request; its answer's headers become the reply's. */
export function callContext(request: FastifyRequest, reply: FastifyReply): CallContext {
  const gone = new AbortController();
  // Not the request's "close": that comes as soon as its body has been read.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return {
    headers: forwardedHeaders(request.headers, request.id, request.ip),
    signal: gone.signal,
    onHeader: (headers) => {
      reply.headers(Object.fromEntries(returned(headers)));
    },
  };
}

function send(endpoint: Endpoint, answer: Message, reply: FastifyReply) {
  reply.code(endpoint.successStatus);
  if (endpoint.successStatus === 204) return reply.send();
  if (isMessage(answer, DocumentSchema)) {
    return reply
      .headers({ 'content-type': answer.contentType, 'content-security-policy': documentSecurityPolicy })
      .send(Buffer.from(answer.content.buffer, answer.content.byteOffset, answer.content.byteLength));
  }
  const json = toRestJson(endpoint.rpc.output, answer);
  if (endpoint.location !== '') reply.header('location', locationOf(endpoint, json));
  return reply.header('content-type', 'application/json').send(JSON.stringify(json));
}

function locationOf(endpoint: Endpoint, json: Record<string, unknown>): string {
  return endpoint.location.replace(/\{([^}]*)\}/g, (_, name) => {
    const field = endpoint.rpc.output.fields.find((candidate) => candidate.name === name);
    return encodeURIComponent(String(field && json[field.jsonName]));
  });
}
