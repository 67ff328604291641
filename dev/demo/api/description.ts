import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';
import { answer, refuse } from './answer.ts';

/** The description of the API, for who builds its clients. */
export function apiDescription(app: App, shop: Shop): void {
  app.get('/openapi.json', (request, reply) => {
    const isAllowed = request.visit.user?.role === 'admin' || shop.weaknesses.apiDescriptionForAll;
    return isAllowed ? answer(reply, description) : refuse(reply, 404, 'not found');
  });
}

const text = { type: 'string' };
const number = { type: 'integer' };
const json = (schema: object) => ({ 'application/json': { schema } });
const done = (schema: object) => ({ 200: { description: 'OK', content: json(schema) } });
const read = (summary: string, schema: object = { type: 'object' }) => ({ get: { summary, responses: done(schema) } });
const parameter = (name: string, schema: object) => [{ name, in: 'path', required: true, schema }];

const user = {
  type: 'object',
  properties: { id: number, email: text, name: text, street: text, city: text, role: text },
};
const address = { type: 'object', required: ['street', 'city'], properties: { street: text, city: text } };

const description = {
  openapi: '3.0.3',
  info: { title: 'Linde & Holm shop', version: '2.4.0' },
  paths: {
    '/api/products': read('Everything that we make'),
    '/api/products/{slug}': { parameters: parameter('slug', text), ...read('One product') },
    '/api/woods': read('Woods of the studio'),
    '/api/me': {
      ...read('The profile', user),
      put: {
        summary: 'Change the profile',
        requestBody: { required: true, content: json(address) },
        responses: done(user),
      },
    },
    '/api/orders': read('Orders of the customer'),
    '/api/orders/{id}': { parameters: parameter('id', number), ...read('One order') },
    '/api/invoices/{id}': { parameters: parameter('id', number), ...read('The invoice of an order') },
    '/api/admin/orders': read('Orders of all customers'),
    '/api/admin/users': read('All customers'),
  },
};
