import type { Message } from '@bufbuild/protobuf';
import { isMessage } from '@bufbuild/protobuf';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DocumentSchema } from '../proto/gen/scanaudit/v1/document_pb.ts';
import { chooseMediaType } from './accept.ts';
import type { CallContext, CoreApi } from './core.ts';
import type { Endpoint } from './endpoints.ts';
import { Refusal } from './errors.ts';
import { documentSecurityPolicy, forwardedHeaders, idempotencyHeader, returned } from './headers.ts';
import { toRestJson } from './json.ts';
import { translate } from './translate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint of the contract that a route serves. */
    endpoint?: Endpoint;
  }
}

/** Makes a route of every endpoint, and HEAD of every GET. */
export function addRoutes(app: FastifyInstance, endpoints: readonly Endpoint[], core: CoreApi): void {
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{([^}]*)\}/g, ':$1'),
      config: { endpoint },
      handler: (request, reply) => serve(endpoint, core, request, reply),
    });
  }
}

async function serve(endpoint: Endpoint, core: CoreApi, request: FastifyRequest, reply: FastifyReply) {
  // The router takes "/scans//gate" for a scan whose id is empty.
  if (Object.values(request.params as object).includes('')) return reply.callNotFound();
  if (chooseMediaType(request.headers.accept, endpoint.mediaTypes) === undefined) {
    throw new Refusal('NOT_ACCEPTABLE', `This can be served as ${endpoint.mediaTypes.join(' or ')}.`);
  }
  const idempotency = endpoint.isIdempotent ? idempotencyHeader(request.raw.headersDistinct['idempotency-key']) : {};
  const message = translate(endpoint, request);
  const context = callContext(request, reply);
  const answer = await core.call(endpoint.rpc, message, {
    ...context,
    headers: { ...context.headers, ...idempotency },
  });
  return send(endpoint, answer, reply);
}

/** What a call to core carries for this request; its answer's headers become the reply's. */
export function callContext(request: FastifyRequest, reply: FastifyReply): CallContext {
  const gone = new AbortController();
  // Not the request's "close": that comes as soon as its body has been read.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return {
    headers: forwardedHeaders(request.headers, request.id),
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
