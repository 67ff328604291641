import { escapeHtml, html, json, startSite } from '../../../../fixtures/site.ts';
import type { ScoreCase } from '../../../case.ts';

/** What really happens to a value in a broken encoding. */
function stackOf(target: string): string {
  try {
    decodeURIComponent(target);
    return '';
  } catch (error) {
    return error instanceof Error ? String(error.stack) : '';
  }
}

const quiet = html('<h1>Something went wrong</h1><p>Number 812.</p>', 500);

export const cases: ScoreCase[] = [
  {
    name: 'a server of Node.js that shows its errors',
    start: (variant) =>
      startSite(({ path, target }) => {
        const stack = stackOf(target);
        if (stack !== '')
          return variant === 'vulnerable'
            ? html(`<pre>${escapeHtml(stack).replaceAll('&#10;', '<br>')}</pre>`, 400)
            : quiet;
        return path === '/' ? html('<a href="/item?id=7">item</a>') : path === '/item' ? html('item') : undefined;
      }),
  },
  {
    name: 'a Phoenix application in development',
    start: (variant) =>
      startSite(({ path, query }) => {
        const isBad = path === '/item' && /[a-z]/.test(query.get('id') ?? '');
        const trace =
          '(ecto 3.11.1) lib/ecto/repo/queryable.ex:164: Ecto.Repo.Queryable.cast/2\n(shop 0.1.0) lib/shop_web/item_controller.ex:12: show/2\n';
        if (isBad) return variant === 'vulnerable' ? html(`<pre>${trace}</pre>`, 400) : quiet;
        return path === '/' ? html('<a href="/item?id=7">item</a>') : path === '/item' ? html('item') : undefined;
      }),
  },
  {
    name: 'an API in Rust that answers in JSON',
    start: (variant) =>
      startSite(({ path, query }) => {
        if (path === '/') return html('<a href="/orders.json?id=7">orders</a>');
        if (path !== '/orders.json') return undefined;
        if (/^\d+$/.test(query.get('id') ?? '')) return json({ id: 7 });
        const text =
          "thread 'actix-rt|system:0' panicked at src/routes/order.rs:41:18: called `Result::unwrap()` on an `Err` value";
        return variant === 'vulnerable' ? json({ error: text }, 500) : json({ error: 'bad request' }, 400);
      }),
  },
];
