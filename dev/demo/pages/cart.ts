import { cartCookie, readCart, withQuantity } from '../cart.ts';
import { productBySlug } from '../catalogue.ts';
import { field } from '../form.ts';
import { html } from '../html.ts';
import { notice, postForm, price, sendPage } from '../layout.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';

export function cartPages(app: App, shop: Shop): void {
  app.get('/cart', (request, reply) => {
    const lines = readCart(shop.database, request.visit.cookies);
    const sum = lines.reduce((total, { product, quantity }) => total + product.cents * quantity, 0);
    const body =
      lines.length === 0
        ? html`<section class="narrow"><h1>Your cart</h1><p>It is empty. <a href="/catalogue">Look at our furniture.</a></p></section>`
        : html`<h1>Your cart</h1><table><thead><tr><th>Piece</th><th>Quantity</th><th>Price</th></tr></thead>
<tbody>${lines.map(
            ({ product, quantity }) => html`<tr><td><a href="/products/${product.slug}">${product.name}</a></td>
<td>${postForm(request.visit, '/cart', html`<input type="hidden" name="product" value="${product.slug}"><label><span class="unseen">Quantity</span><input type="number" name="quantity" value="${quantity}" min="0" max="9"></label><button>Change</button>`, 'row')}</td>
<td>${price(product.cents * quantity)}</td></tr>`,
          )}</tbody><tfoot><tr><th colspan="2">Together</th><td>${price(sum)}</td></tr></tfoot></table>
<p>To order, call us or come by: we plan each delivery with you. <a href="/contact">Write to us</a></p>`;
    return sendPage(shop, reply, request.visit, { title: 'Your cart', body });
  });

  app.post('/cart', (request, reply) => {
    const product = productBySlug(shop.database, field(request, 'product'));
    const quantity = Number.parseInt(field(request, 'quantity'), 10);
    if (!product || Number.isNaN(quantity))
      return notice(shop, request, reply, 400, 'We did not understand that', 'Please check the quantity.');
    const lines = withQuantity(readCart(shop.database, request.visit.cookies), product, quantity);
    return reply.header('set-cookie', cartCookie(lines)).redirect('/cart', 303);
  });
}
