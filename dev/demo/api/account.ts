import type { FastifyRequest } from 'fastify';
import { findInvoice } from '../invoices.ts';
import { findOrder, ordersOf } from '../orders.ts';
import { changeProfile } from '../profile.ts';
import { partnerCookieName } from '../session-cookie.ts';
import type { Shop } from '../shop.ts';
import { type DemoUser, userById } from '../users.ts';
import type { App } from '../visit.ts';
import { answer, refuse } from './answer.ts';

type WithId = { Params: { id: string } };

/** What belongs to a customer. It uses the session of the pages; what partners and the studio show is read with a pass or a token, too. */
export function accountApi(app: App, shop: Shop): void {
  const reader = ({ visit, headers }: FastifyRequest): DemoUser | undefined =>
    visit.user ??
    shop.passes.holder(visit.cookies.get(partnerCookieName) ?? '') ??
    shop.tokens.holder(headers.authorization);

  app.get('/api/token', (request, reply) => {
    const { user } = request.visit;
    if (!user) return refuse(reply, 401, 'log in first');
    const token = shop.tokens.issue(user);
    return token === undefined ? refuse(reply, 404, 'the studio uses your session') : answer(reply, { token });
  });

  app.get('/api/me', (request, reply) => {
    const user = reader(request);
    return user ? answer(reply, user) : refuse(reply, 401, 'log in first');
  });

  // Browsers ask before they send JSON from another site, so this needs no form token.
  app.put('/api/me', (request, reply) => {
    const { user } = request.visit;
    if (!user) return refuse(reply, 401, 'log in first');
    const fields = typeof request.body === 'object' && request.body !== null ? { ...request.body } : {};
    if (!changeProfile(shop, user, fields)) return refuse(reply, 400, 'give street and city');
    return answer(reply, userById(shop.database, user.id) ?? user);
  });

  app.get('/api/orders', (request, reply) => {
    const user = reader(request);
    return user ? answer(reply, { items: ordersOf(shop.database, user.id) }) : refuse(reply, 401, 'log in first');
  });

  app.get<WithId>('/api/orders/:id', (request, reply) => {
    const { user } = request.visit;
    if (!user) return refuse(reply, 401, 'log in first');
    const order = findOrder(shop.weaknesses, shop.database, user, Number(request.params.id));
    return order ? answer(reply, order) : refuse(reply, 404, 'no such order');
  });

  app.get<WithId>('/api/invoices/:id', (request, reply) => {
    const { user } = request.visit;
    if (!user) return refuse(reply, 401, 'log in first');
    const invoice = findInvoice(shop, user, Number(request.params.id));
    return invoice ? answer(reply, invoice) : refuse(reply, 404, 'no such invoice');
  });
}
