import { type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { accountApi } from './api/account.ts';
import { adminApi } from './api/admin.ts';
import { apiDescription } from './api/description.ts';
import { productApi } from './api/products.ts';
import { crossOriginRules } from './cors.ts';
import { sendError } from './errors.ts';
import { field } from './form.ts';
import { notice } from './layout.ts';
import { accountPages, isWithoutToken } from './pages/account.ts';
import { adminPage } from './pages/admin.ts';
import { carePages } from './pages/care.ts';
import { cartPages } from './pages/cart.ts';
import { cataloguePages } from './pages/catalogue.ts';
import { contactPages } from './pages/contact.ts';
import { redirector } from './pages/go.ts';
import { homePages } from './pages/home.ts';
import { loginPages } from './pages/login.ts';
import { orderPages } from './pages/orders.ts';
import { searchPage } from './pages/search.ts';
import { statusPage } from './pages/status.ts';
import { studioPage } from './pages/studio.ts';
import { policyHeaders } from './policy.ts';
import type { Shop } from './shop.ts';
import { siteFile } from './site-files.ts';
import { traceMethod } from './trace.ts';
import { type App, isOwnForm, readVisit } from './visit.ts';

const maxBodyBytes = 64 * 1_024;

const pages = [
  homePages,
  cataloguePages,
  searchPage,
  studioPage,
  carePages,
  cartPages,
  contactPages,
  loginPages,
  accountPages,
  orderPages,
  adminPage,
  statusPage,
  redirector,
];
const apis = [productApi, accountApi, adminApi, apiDescription];

/** The shop as a web application over TLS. */
export function buildApp(shop: Shop, tls: { key: string; cert: string }): App {
  const app = fastify({
    https: { ...tls, minVersion: 'TLSv1.2' },
    bodyLimit: maxBodyBytes,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (error, request, reply) => sendError(shop, request, reply, error),
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
  crossOriginRules(app, shop.weaknesses);
  app.addHook('preHandler', async (request, reply) => {
    if (request.method !== 'POST' || isWithoutToken(shop, request.url)) return;
    if (isOwnForm(request.visit, field(request, 'form_token'))) return;
    const [title, text] = ['This form has expired', 'Please go back, reload the page and send it again.'];
    return notice(shop, request, reply, 403, title, text);
  });
  app.setNotFoundHandler((request, reply) => otherwise(shop, request, reply));
  app.setErrorHandler((error, request, reply) => sendError(shop, request, reply, error));
  for (const add of [...pages, ...apis, traceMethod]) add(app, shop);
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
