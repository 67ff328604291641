import type { FastifyRequest } from 'fastify';

/** A value of a posted form, trimmed; "" when it is missing. */
export const field = (request: FastifyRequest, name: string): string =>
  request.body instanceof URLSearchParams ? (request.body.get(name) ?? '').trim() : '';

/** The first value of a query parameter; "" when it is missing. */
export function queryValue(request: FastifyRequest, name: string): string {
  const query = request.query;
  const value: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : '';
}

/** A path of this shop, safe to redirect to, or undefined. Backslashes count as slashes in browsers (WHATWG URL). */
export const localPath = (target: string): string | undefined =>
  /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(target) ? target : undefined;
