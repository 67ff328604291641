import { productBySlug, productsIn } from '../catalogue.ts';
import { queryValue } from '../form.ts';
import { categories, woods } from '../products.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';
import { answer, refuse } from './answer.ts';

/** What the studio and the shop's mobile app show of the catalogue. */
export function productApi(app: App, shop: Shop): void {
  app.get('/api/products', (request, reply) => {
    const category = categories.find((name) => name === queryValue(request, 'category'));
    return answer(reply, { items: productsIn(shop, category) });
  });

  app.get('/api/woods', (_request, reply) => answer(reply, { items: woods }));

  app.get<{ Params: { slug: string } }>('/api/products/:slug', (request, reply) => {
    const product = productBySlug(shop.database, request.params.slug);
    return product ? answer(reply, product) : refuse(reply, 404, 'no such product');
  });
}
