import type { FastifyReply } from 'fastify';

/** Answers with JSON that no cache keeps. */
export const answer = (reply: FastifyReply, body: object, status = 200): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));

export const refuse = (reply: FastifyReply, status: number, error: string): FastifyReply =>
  answer(reply, { error }, status);
