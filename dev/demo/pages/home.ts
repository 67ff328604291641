import { productsIn } from '../catalogue.ts';
import { html } from '../html.ts';
import { sendPage } from '../layout.ts';
import { categories, partners } from '../products.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';
import { cards } from './cards.ts';

export function homePages(app: App, shop: Shop): void {
  app.get('/', (request, reply) => {
    const body = html`<section class="hero"><h1>Furniture made to last</h1>
<p>Tables, chairs and lamps from our workshop in Westbridge. Solid wood, oiled by hand, repaired for life.</p>
<p><a class="button" href="/catalogue">See all furniture</a></p></section>
<section><h2>From the workshop</h2>${cards(productsIn(shop, undefined).slice(0, 4))}</section>
<section><h2>By room and use</h2><ul class="pills">${categories.map((name) => html`<li><a href="/catalogue?category=${name}">${name}</a></li>`)}</ul></section>`;
    return sendPage(shop, reply, request.visit, { title: 'Furniture made to last', body });
  });

  app.get('/about', (request, reply) => {
    const body = html`<section class="narrow"><h1>The workshop</h1>
<p>Ella Linde and Jonas Holm opened their workshop in 1962. Today eleven of us build about nine hundred pieces a year, and every one leaves with the name of the person who made it.</p>
<p>We buy our timber and our cloth from people we know:</p>
<ul>${partners.map(({ name, url }) => html`<li><a href="/go?to=${encodeURIComponent(url)}">${name}</a></li>`)}</ul>
<p><a href="/contact">Come and visit us</a>, we are open on Thursdays.</p></section>`;
    return sendPage(shop, reply, request.visit, { title: 'The workshop', body });
  });
}
