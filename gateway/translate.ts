import { create, type Message } from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from './endpoints.ts';
import { Refusal } from './errors.ts';
import { type Issue, readRestJson } from './json.ts';
import { parseJson } from './json-text.ts';
import { readQuery } from './query.ts';

/**
 * The request message of an endpoint from path, query and body.
 * @throws Refusal 400 naming every wrong field, 415
 */
export function translate(endpoint: Endpoint, request: FastifyRequest): Message {
  const message = reflect(endpoint.rpc.input, create(endpoint.rpc.input));
  readPath(message, endpoint, request);
  const issues = [...readQuery(message, request.url, endpoint.queryFields), ...readBody(message, endpoint, request)];
  if (issues.length > 0) throw issuesRefusal(issues);
  return message.message;
}

function readPath(message: ReflectMessage, endpoint: Endpoint, request: FastifyRequest): void {
  const params = request.params as Record<string, string | undefined>;
  for (const field of endpoint.pathFields) message.set(field, params[field.name] ?? '');
}

function readBody(message: ReflectMessage, endpoint: Endpoint, request: FastifyRequest): Issue[] {
  const { body } = endpoint;
  if (body === undefined) {
    if (announcesBody(request)) throw new Refusal('INVALID_BODY', 'This request takes no body. Leave it out.');
    return [];
  }
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  // Many clients announce JSON and then send nothing; where every field is optional that is a whole request.
  if (bytes.length === 0) return [];
  requireJson(request);
  const json = parseJson(bytes);
  if (body === '*') return readRestJson(message, json, '', new Set(endpoint.pathFields.map(({ name }) => name)));
  if (body.fieldKind !== 'message') return [];
  const inner = reflect(body.message, create(body.message));
  const issues = readRestJson(inner, json, body.jsonName);
  message.set(body, inner);
  return issues;
}

function announcesBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function requireJson({ headers }: FastifyRequest): void {
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((word) => word.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset);
  if (type !== 'application/json' || !isUtf8) {
    throw new Refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body is not announced as JSON. Send it as application/json in UTF-8.',
      {
        headers: { accept: 'application/json' },
      },
    );
  }
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'The body has a content encoding. Send it without one.', {
      headers: { 'accept-encoding': 'identity' },
    });
  }
}

/** More faults than anybody mends at once. A body of megabytes may have one in every few bytes. */
const maxIssues = 20;
const maxFieldCharacters = 200;

function issuesRefusal(issues: readonly Issue[]): Refusal {
  const [first] = issues;
  const errors = issues.slice(0, maxIssues).map(({ field, message }) => ({ field: shortened(field), message }));
  const sentences = errors.map(({ field, message }) => `${field || 'The body'} ${message}`);
  const left = issues.length - errors.length;
  if (left > 0) sentences.push(`and ${left} more`);
  return new Refusal(
    first?.reason ?? 'INVALID_BODY',
    `${sentences.join('; ')}. Correct this, then send the request again.`,
    { errors },
  );
}

/** A name of the caller's own may be as long as the body. */
const shortened = (field: string): string =>
  field.length <= maxFieldCharacters ? field : `${field.slice(0, maxFieldCharacters).toWellFormed()}…`;
