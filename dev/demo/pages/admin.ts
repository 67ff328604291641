import { productsIn } from '../catalogue.ts';
import { toLogin } from '../guard.ts';
import { html } from '../html.ts';
import { notice, price, sendPage } from '../layout.ts';
import { allOrders } from '../orders.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';

export function adminPage(app: App, shop: Shop): void {
  app.get('/admin', (request, reply) => {
    const { user } = request.visit;
    if (!user) return toLogin(shop, request, reply);
    if (user.role !== 'admin')
      return notice(shop, request, reply, 403, 'Staff only', 'This page is for the people of the workshop.');
    const body = html`<h1>Administration</h1><h2>Orders of all customers</h2>
<table><thead><tr><th>Order</th><th>Customer</th><th>Placed on</th><th>Status</th><th>Sum</th></tr></thead>
<tbody>${allOrders(shop.database).map(
      (order) =>
        html`<tr><td><a href="/orders/${order.id}">${order.id}</a></td><td>${order.customer}</td><td>${order.placedOn}</td><td>${order.status}</td><td>${price(order.cents)}</td></tr>`,
    )}</tbody></table>
<p><a href="/api/admin/orders">Orders as data</a> · <a href="/api/admin/users">Customers as data</a> · <a href="/status">Status</a> · <a href="/openapi.json">The API</a></p>
<h2>Stock</h2><table><thead><tr><th>Piece</th><th>In stock</th></tr></thead>
<tbody>${productsIn(shop, undefined).map((product) => html`<tr><td>${product.name}</td><td>${product.stock}</td></tr>`)}</tbody></table>`;
    return sendPage(shop, reply, request.visit, { title: 'Administration', body });
  });
}
