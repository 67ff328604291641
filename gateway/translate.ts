import { create, type Message } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import type { FastifyRequest } from 'fastify';
import { readBody } from './body.ts';
import { type Endpoint, usualBodyBytes } from './endpoints.ts';
import { GatewayRefusal } from './errors.ts';
import { Issues } from './issues.ts';
import type { BodyReader } from './long-bodies/read-aside.ts';
import { readQuery } from './query.ts';

/**
 * The request message of an endpoint from path, query and body.
 * @param readLong for a body that is longer than usual
 * @param signal ends the reading
 * @throws Refusal 400 naming what is wrong, 415
 */
export async function translate(
  endpoint: Endpoint,
  request: FastifyRequest,
  readLong: BodyReader,
  signal: AbortSignal,
): Promise<Message> {
  const message = reflect(endpoint.rpc.input, create(endpoint.rpc.input));
  const issues = new Issues();
  readPath(message, endpoint, request);
  readQuery(message, request.url, endpoint.queryFields, issues);
  const bytes = bodyOf(endpoint, request);
  if (bytes.length > usualBodyBytes) {
    issues.refuse();
    await readLong(message.message, endpoint, bytes, signal);
  } else if (bytes.length > 0) readBody(message, endpoint, bytes, issues);
  issues.refuse();
  return message.message;
}

function readPath(message: ReflectMessage, endpoint: Endpoint, request: FastifyRequest): void {
  const params = request.params as Record<string, string | undefined>;
  for (const field of endpoint.pathFields) message.set(field, params[field.name] ?? '');
}

/** The bytes of the body, which are JSON by their type; none when there is no body. */
function bodyOf({ body }: Endpoint, request: FastifyRequest): Uint8Array {
  if (body === undefined) {
    if (announcesBody(request)) throw new GatewayRefusal('INVALID_BODY', 'This request takes no body. Leave it out.');
    return new Uint8Array();
  }
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  // Many clients announce JSON and then send nothing; where every field is optional that is a whole request.
  if (bytes.length > 0) requireJson(request);
  return bytes;
}

function announcesBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function requireJson({ headers }: FastifyRequest): void {
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((word) => word.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (type !== 'application/json' || !isUtf8) {
    throw new GatewayRefusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body is not announced as JSON. Send it as application/json in UTF-8.',
      {
        headers: { accept: 'application/json' },
      },
    );
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new GatewayRefusal('UNSUPPORTED_MEDIA_TYPE', 'The body has a content encoding. Send it without one.', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
}
