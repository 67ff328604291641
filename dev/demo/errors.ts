import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from './html.ts';
import { notice, sendPage } from './layout.ts';
import { policyHeaders } from './policy.ts';
import type { Shop } from './shop.ts';
import { readVisit } from './visit.ts';

/** Answers a request that could not be served. */
export function sendError(shop: Shop, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  // An address that cannot be decoded is refused before any hook has run.
  request.visit ??= readVisit(shop, request);
  reply.headers(policyHeaders(shop.weaknesses, request.visit.nonce));
  const given = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  const isOurs = !(given >= 400 && given < 500);
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (isOurs) process.stderr.write(`${stack}\n`);
  const status = isOurs ? 500 : given;
  if (shop.weaknesses.stackTraces) {
    const body = html`<section><h1>Error ${status}</h1><pre class="trace">${stack}</pre></section>`;
    return sendPage(shop, reply, request.visit, { status, title: `Error ${status}`, body });
  }
  return isOurs
    ? notice(shop, request, reply, status, 'Something went wrong', 'Please try again in a moment.')
    : notice(shop, request, reply, status, 'We did not understand that', 'Please check your entry.');
}
