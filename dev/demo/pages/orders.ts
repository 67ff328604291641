import { toLogin } from '../guard.ts';
import { type DemoMarkup, html } from '../html.ts';
import { notice, price, sendPage } from '../layout.ts';
import { findOrder, type Order, ordersOf } from '../orders.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';

export function orderPages(app: App, shop: Shop): void {
  app.get('/orders', (request, reply) => {
    const { user } = request.visit;
    if (!user) return toLogin(shop, request, reply);
    const body = html`<h1>Your orders</h1><table><thead><tr><th>Order</th><th>Placed on</th><th>Status</th><th>Sum</th></tr></thead>
<tbody>${ordersOf(shop.database, user.id).map(
      (order) =>
        html`<tr><td><a href="/orders/${order.id}">${order.id}</a></td><td>${order.placedOn}</td><td>${order.status}</td><td>${price(order.cents)}</td></tr>`,
    )}</tbody></table>`;
    return sendPage(shop, reply, request.visit, { title: 'Your orders', body });
  });

  app.get<{ Params: { id: string } }>('/orders/:id', (request, reply) => {
    const { user } = request.visit;
    if (!user) return toLogin(shop, request, reply);
    const order = findOrder(shop.weaknesses, shop.database, user, Number(request.params.id));
    if (!order) return notice(shop, request, reply, 404, 'Page not found', 'You have no order with this number.');
    return sendPage(shop, reply, request.visit, { title: `Order ${order.id}`, body: orderBody(order) });
  });
}

const orderBody = ({ id, placedOn, status, customer, note, lines }: Order): DemoMarkup =>
  html`<h1>Order ${id}</h1><dl><dt>Placed on</dt><dd>${placedOn}</dd><dt>Status</dt><dd>${status}</dd>
<dt>Delivery to</dt><dd>${customer.name}<br>${customer.street}<br>${customer.city}</dd><dt>Note for the driver</dt><dd>${note}</dd></dl>
<table><thead><tr><th>Piece</th><th>Quantity</th><th>Price</th></tr></thead><tbody>${lines.map(
    (line) =>
      html`<tr><td><a href="/products/${line.slug}">${line.name}</a></td><td>${line.quantity}</td><td>${price(line.cents * line.quantity)}</td></tr>`,
  )}</tbody></table><p><a href="/api/orders/${id}">This order as data</a> · <a href="/orders">All orders</a></p>`;
