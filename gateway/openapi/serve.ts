import type { FastifyInstance } from 'fastify';
import type { Route } from '../endpoints.ts';
import { documentSecurityPolicy } from '../headers.ts';
import { openApiDocument } from './document.ts';
import { apiPage } from './page.ts';

/** Both change with the program only. */
const cacheControl = 'public, max-age=300';

/** Serves the description of the API, for programs and for people. Neither needs a key. */
export function serveDescription(app: FastifyInstance, routes: readonly Route[]): void {
  const document = openApiDocument(routes);
  const json = JSON.stringify(document);
  const page = apiPage(document).toString();
  app.get('/openapi.json', (_request, reply) =>
    reply.headers({ 'content-type': 'application/json', 'cache-control': cacheControl }).send(json),
  );
  app.get('/docs', (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': cacheControl,
        'content-security-policy': documentSecurityPolicy,
      })
      .send(page),
  );
}
