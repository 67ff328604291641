import { DatabaseSync } from 'node:sqlite';
import { type Answer, escapeHtml, type Handler, html, json, type Request, startSite } from '../../../fixtures/site.ts';
import { runOn } from '../harness.ts';

type Row = { id: number; name: string; category: string; price: number };

/** A site of one shape over a real database, with values put into its statements, or bound. */
export type SqlSite = { handler: Handler; close(): void };
type Safety = 'concatenated' | 'bound';

const rows: [string, string, number][] = [
  ['Oak table', 'tables', 240],
  ['Side table', 'tables', 90],
  ['Desk lamp', 'lamps', 35],
  ['Paper lamp', 'lamps', 20],
  ['Reading chair', 'chairs', 180],
];

/** SQLite without its habit of taking an unknown "name" for a text, as most engines do. */
function shopDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  database.exec(
    'CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, category TEXT, price INTEGER); CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, password TEXT)',
  );
  const insert = database.prepare('INSERT INTO products (name, category, price) VALUES (?, ?, ?)');
  for (const row of rows) insert.run(...row);
  return database;
}

/** Runs a statement whose "?" are put in as they are, or bound. `around` stands around each value, for instance a quote. */
function query(database: DatabaseSync, safety: Safety, statement: string, values: string[], around = ''): Row[] {
  if (safety === 'bound') return database.prepare(statement).all(...values) as Row[];
  const queue = [...values];
  const text = statement.replace(/\?/g, () => `${around}${queue.shift() ?? ''}${around}`);
  return database.prepare(text).all() as Row[];
}

const siteOf = (answer: (request: Request, database: DatabaseSync) => Answer | undefined): SqlSite => {
  const database = shopDatabase();
  return { handler: (request) => answer(request, database), close: () => database.close() };
};

/** Pages with routes, and the stack of an error, as a Node framework in development shows it. Every answer has a new token. */
export const expressLike = (safety: Safety): SqlSite =>
  siteOf(({ path, query: parameters }, database) => {
    const page = (content: string, status = 200) =>
      html(
        `<script nonce="${crypto.randomUUID()}">var t = ${Date.now()};</script><h1>Shop</h1>${content}<p>Served at ${new Date().toISOString()} in ${Math.random().toFixed(6)} s</p>`,
        status,
      );
    try {
      if (path === '/') return page('<a href="/product/3">Desk lamp</a> <a href="/search?q=lamp">Lamps</a>');
      if (path === '/search') {
        const term = parameters.get('q') ?? '';
        const found = query(database, safety, 'SELECT * FROM products WHERE name LIKE ?', [`%${term}%`], "'");
        return page(
          `<p>Results for <em>${escapeHtml(term)}</em></p>${found.map((row) => `<li>${row.name}</li>`).join('')}`,
        );
      }
      const [, id] = /^\/product\/(.+)$/.exec(path) ?? [];
      if (id === undefined) return undefined;
      const [row] = query(database, safety, 'SELECT * FROM products WHERE id = ?', [id]);
      return row ? page(`<h2>${row.name}</h2><b>${row.price} €</b>`) : page('<h2>No such product</h2>', 404);
    } catch (error) {
      return page(`<pre>${escapeHtml(String(error))}<br> &nbsp; at Database.prepare (/app/db.js:10:2)</pre>`, 500);
    }
  });

/** One script with parameters, whose warnings stand in the page, or are suppressed. */
export const phpLike = (safety: Safety, shows: 'warnings' | 'nothing' = 'warnings'): SqlSite =>
  siteOf(({ path, query: parameters }, database) => {
    if (path === '/') return html('<A HREF=index.php?cat=lamps&sort=1>Lamps</A> <A HREF="item.php?id=4">Item</A>');
    const list = (statement: string, value: string, around: string) => {
      try {
        return query(database, safety, statement, [value], around)
          .map((row) => `<TR><TD><FONT SIZE=2>${row.name}</FONT><TD>${row.price}</TR>`)
          .join('\n');
      } catch (error) {
        const message = `<br />\n<b>Warning</b>:  SQLite3::query(): Unable to prepare statement: ${(error as Error).message} in <b>/var/www/item.php</b> on line <b>12</b><br />`;
        return shows === 'warnings' ? message : '';
      }
    };
    const table = (content: string) => html(`<TABLE BORDER=0>${content}</TABLE><HR>visitor ${Math.random()}`);
    if (path === '/item.php')
      return table(list('SELECT * FROM products WHERE (id IN (?))', parameters.get('id') ?? '0', ''));
    if (path !== '/index.php') return undefined;
    return table(list('SELECT * FROM products WHERE lower(category) = lower(?)', parameters.get('cat') ?? '', "'"));
  });

/** Answers of an API; a page shows where it is. What goes wrong is a message of one field, or only a status. */
export const jsonApi = (safety: Safety, shows: 'messages' | 'nothing' = 'messages'): SqlSite =>
  siteOf(({ path, query: parameters }, database) => {
    if (path === '/') return html('<script>fetch("/api/products?category=tables&max=500")</script>');
    if (path !== '/api/products') return undefined;
    try {
      const statement = 'SELECT count(*) AS total, min(price) AS cheapest FROM products WHERE category = ?';
      const [summary] = query(database, safety, statement, [parameters.get('category') ?? ''], "'");
      return json({ requestId: crypto.randomUUID(), max: parameters.get('max'), ...summary });
    } catch (error) {
      return json(shows === 'messages' ? { error: String(error) } : { error: 'failed' }, 500);
    }
  });

/** Runs a check on a site of its own, over a handler or over a database that is closed with it. */
export function sqlRuns(check: Parameters<typeof runOn>[1]) {
  const result = async (handler: Handler) => {
    const site = await startSite(handler);
    try {
      return { ...(await runOn(site.url, check)), requests: site.requests };
    } finally {
      await site.close();
    }
  };
  const resultOf = async (site: SqlSite) => {
    try {
      return await result(site.handler);
    } finally {
      site.close();
    }
  };
  return { result, resultOf };
}
