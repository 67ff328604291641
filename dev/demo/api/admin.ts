import type { FastifyReply, FastifyRequest } from 'fastify';
import { allOrders } from '../orders.ts';
import type { Shop } from '../shop.ts';
import { customers } from '../users.ts';
import type { App } from '../visit.ts';
import { answer, refuse } from './answer.ts';

/** What the administration of the workshop reads from its tablets. */
export function adminApi(app: App, shop: Shop): void {
  const forStaff = (read: () => object) => (request: FastifyRequest, reply: FastifyReply) => {
    const { user } = request.visit;
    if (!user) return refuse(reply, 401, 'log in first');
    const isAllowed = user.role === 'admin' || shop.weaknesses.adminApiForAll;
    return isAllowed ? answer(reply, read()) : refuse(reply, 403, 'for staff only');
  };

  app.get(
    '/api/admin/orders',
    forStaff(() => ({ items: allOrders(shop.database) })),
  );
  app.get(
    '/api/admin/users',
    forStaff(() => ({ items: customers(shop.database) })),
  );
}
