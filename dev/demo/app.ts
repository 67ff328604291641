import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { apiRoutes } from './api.ts';
import { field } from './form.ts';
import { notice } from './layout.ts';
import { accountPages } from './pages/account.ts';
import { adminPage } from './pages/admin.ts';
import { cartPages } from './pages/cart.ts';
import { cataloguePages } from './pages/catalogue.ts';
import { contactPages } from './pages/contact.ts';
import { redirector } from './pages/go.ts';
import { homePages } from './pages/home.ts';
import { loginPages } from './pages/login.ts';
import { orderPages } from './pages/orders.ts';
import { searchPage } from './pages/search.ts';
import { policyHeaders } from './policy.ts';
import { siteFile } from './site-files.ts';
import { type App, isOwnForm, readVisit, type Shop } from './visit.ts';

const maxBodyBytes = 64 * 1_024;

/** The shop as a web application over TLS. */
export function buildApp(shop: Shop, tls: { key: string; cert: string }): App {
  const app = fastify({
    https: { ...tls, minVersion: 'TLSv1.2' },
    bodyLimit: maxBodyBytes,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => new URLSearchParams(body),
  );
  app.decorateRequest('visit');
  app.addHook('onRequest', async (request, reply) => {
    request.visit = readVisit(shop, request);
    reply.headers(policyHeaders(shop.weaknesses, request.visit.nonce));
  });
  app.addHook('preHandler', async (request, reply) => {
    if (request.method !== 'POST' || isOwnForm(request.visit, field(request, 'form_token'))) return;
    return notice(
      shop,
      request,
      reply,
      403,
      'This form has expired',
      'Please go back, reload the page and send it again.',
    );
  });
  app.setNotFoundHandler((request, reply) => otherwise(shop, request, reply));
  app.setErrorHandler((error, request, reply) => failed(shop, request, reply, error));
  const routes = [homePages, cataloguePages, searchPage, cartPages, loginPages, accountPages, orderPages, adminPage];
  for (const add of [...routes, contactPages, redirector, apiRoutes]) add(app, shop);
  return app;
}

async function otherwise(shop: Shop, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const [path = ''] = request.url.split('?');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const file = isRead ? await siteFile(shop.weaknesses, shop.siteFolder, path) : undefined;
  if (file) return reply.type(file.contentType).header('cache-control', 'public, max-age=3600').send(file.content);
  return notice(
    shop,
    request,
    reply,
    404,
    'Page not found',
    'There is no such page in our shop. It may have been sold.',
  );
}

async function failed(shop: Shop, request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status < 500)
    return notice(shop, request, reply, status, 'We did not understand that', 'Please check your entry.');
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return notice(shop, request, reply, 500, 'Something went wrong', 'Please try again in a moment.');
}
