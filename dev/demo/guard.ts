import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Shop } from './shop.ts';
import { keepSession } from './visit.ts';

/** Sends a visitor who is not logged in to the log-in page, and back afterwards. */
export function toLogin(shop: Shop, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  keepSession(shop, reply, request.visit);
  const [path = '/'] = request.url.split('?');
  return reply.header('cache-control', 'no-store').redirect(`/login?next=${encodeURIComponent(path)}`, 303);
}
