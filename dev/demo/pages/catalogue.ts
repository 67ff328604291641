import { productBySlug, productsIn } from '../catalogue.ts';
import { queryValue } from '../form.ts';
import { html } from '../html.ts';
import { notice, postForm, price, sendPage } from '../layout.ts';
import { categories, partners } from '../products.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';
import { cards } from './cards.ts';

export function cataloguePages(app: App, shop: Shop): void {
  app.get('/catalogue', (request, reply) => {
    const category = queryValue(request, 'category') || undefined;
    const known = categories.find((name) => name === category);
    const body = html`<h1>${known ? `Our ${known}` : 'All furniture'}</h1>
<ul class="pills"><li><a href="/catalogue">everything</a></li>${categories.map((name) => html`<li><a href="/catalogue?category=${name}">${name}</a></li>`)}</ul>
${cards(productsIn(shop, category))}
<p class="aside">In another wood? <a href="/studio">Put it together in the studio.</a></p>`;
    return sendPage(shop, reply, request.visit, { title: 'Furniture', body });
  });

  app.get<{ Params: { slug: string } }>('/products/:slug', (request, reply) => {
    const product = productBySlug(shop.database, request.params.slug);
    if (!product) return notice(shop, request, reply, 404, 'Page not found', 'We do not make this any more.');
    const [weaver] = partners;
    const body = html`<article class="product"><img src="/assets/${product.slug}.svg" alt="${product.name}" width="480" height="400">
<div><p class="crumb"><a href="/catalogue?category=${product.category}">${product.category}</a></p><h1>${product.name}</h1><p class="price">${price(product.cents)}</p>
<p>${product.text}</p><p class="stock">${product.stock > 5 ? 'In stock, leaves our workshop in three days.' : `Only ${product.stock} left.`}</p>
${postForm(request.visit, '/cart', html`<input type="hidden" name="product" value="${product.slug}"><label>Quantity <input type="number" name="quantity" value="1" min="1" max="9"></label><button>Put into the cart</button>`)}
<p><a href="/go?to=${encodeURIComponent(weaver.url)}">About our weavers</a></p></div></article>`;
    return sendPage(shop, reply, request.visit, { title: product.name, body });
  });
}
