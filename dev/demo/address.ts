import type { FastifyRequest } from 'fastify';
import { demoHost } from './identities.ts';
import type { Weaknesses } from './weaknesses.ts';

/** The one address under which search engines should know a page. */
export function canonicalAddress(weaknesses: Weaknesses, request: FastifyRequest): string {
  const forwarded = weaknesses.forwardedHostTrusted ? request.headers['x-forwarded-host'] : undefined;
  const [host = `${demoHost}:${request.socket.localPort}`] = [forwarded ?? []].flat();
  const [path = '/'] = request.url.split('?');
  return `https://${host}${path}`;
}
