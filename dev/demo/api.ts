import type { FastifyReply } from 'fastify';
import { productBySlug, productsIn } from './catalogue.ts';
import { findOrder, ordersOf } from './orders.ts';
import type { App, Shop } from './visit.ts';

/** The JSON API of the shop's mobile app. It uses the session of the pages. */
export function apiRoutes(app: App, shop: Shop): void {
  const refuse = (reply: FastifyReply, status: number, error: string) => answer(reply, { error }, status);

  app.get('/api/products', (_request, reply) => answer(reply, { items: productsIn(shop.database, undefined) }));

  app.get<{ Params: { slug: string } }>('/api/products/:slug', (request, reply) => {
    const product = productBySlug(shop.database, request.params.slug);
    return product ? answer(reply, product) : refuse(reply, 404, 'no such product');
  });

  app.get('/api/me', (request, reply) => {
    const { user } = request.visit;
    return user ? answer(reply, user) : refuse(reply, 401, 'log in first');
  });

  app.get('/api/orders', (request, reply) => {
    const { user } = request.visit;
    return user ? answer(reply, { items: ordersOf(shop.database, user.id) }) : refuse(reply, 401, 'log in first');
  });

  app.get<{ Params: { id: string } }>('/api/orders/:id', (request, reply) => {
    const { user } = request.visit;
    if (!user) return refuse(reply, 401, 'log in first');
    const order = findOrder(shop.weaknesses, shop.database, user, Number(request.params.id));
    return order ? answer(reply, order) : refuse(reply, 404, 'no such order');
  });
}

const answer = (reply: FastifyReply, body: object, status = 200): FastifyReply =>
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
