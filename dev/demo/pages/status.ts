import { html } from '../html.ts';
import { notice, sendPage } from '../layout.ts';
import type { Shop } from '../shop.ts';
import type { App } from '../visit.ts';

/** What the people who run the shop look at when it is slow. */
export function statusPage(app: App, shop: Shop): void {
  app.get('/status', (request, reply) => {
    const isAllowed = request.visit.user?.role === 'admin' || shop.weaknesses.statusForAll;
    if (!isAllowed) return notice(shop, request, reply, 404, 'Page not found', 'There is no such page in our shop.');
    const { versions } = process;
    const facts = {
      Application: 'linde-shop 2.4.0, production',
      Host: 'shop-1.linde.internal (10.20.4.11)',
      'Node.js': `v${versions.node} (OpenSSL ${versions.openssl}, SQLite ${versions.sqlite})`,
      Database: '/srv/shop/shop.db, replica on 10.20.4.17:5432',
      Uptime: `${Math.floor(process.uptime())} s`,
      Memory: `${Math.round(process.memoryUsage().rss / 1_048_576)} MiB`,
    };
    const body = html`<h1>Status</h1><dl>${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
    return sendPage(shop, reply, request.visit, { title: 'Status', body });
  });
}
