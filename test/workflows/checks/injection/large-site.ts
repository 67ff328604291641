import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import nunjucks from 'nunjucks';
import { escapeHtml } from '../../../fixtures/site.ts';

const folders = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'haven', 'iris', 'jade'];
const sections = [...folders, 'karst', 'lark', 'maple', 'north', 'olive'];

/** 150 pages, each with two parameters. */
const pagePaths = sections.flatMap((section) => folders.map((leaf) => `/${section}/${leaf}`));

type Page = (value: string, response: ServerResponse) => string | undefined;

/** A page whose parameter `name` is weak where it is not mended; all its other parameters are those of all pages. */
type Planted = { path: string; name: string; sample: string; weak: Page; mended: Page };

const openLamps = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  database.exec(`CREATE TABLE lamps (sku TEXT, title TEXT);
    INSERT INTO lamps VALUES ('L1', 'Desk lamp'), ('L2', 'Paper lamp'), ('L3', 'Floor lamp')`);
  return database;
};

function plantedIn(database: DatabaseSync): Planted[] {
  const titles = (statement: string, ...values: string[]) =>
    database
      .prepare(statement)
      .all(...values)
      .map(({ title }) => `<li>${title}</li>`)
      .join('');
  const attempt = (read: () => string, failed: (error: unknown) => string) => {
    try {
      return read();
    } catch (error) {
      return failed(error);
    }
  };
  const bound = (value: string) => titles('SELECT title FROM lamps WHERE sku = ?', value);
  const concatenated = (value: string) => titles(`SELECT title FROM lamps WHERE sku = '${value}'`);
  const engine = new nunjucks.Environment(null, { autoescape: true });
  const leads = (to: string, response: ServerResponse) =>
    void response.writeHead(302, { location: encodeURI(to) }).end();
  const file = (path: string) =>
    attempt(
      () => readFileSync(path, 'utf8'),
      () => 'No such file',
    );
  const remembers = (value: string, response: ServerResponse) =>
    // Node's own refuses line ends in headers.
    void response.socket?.end(
      `HTTP/1.1 200 OK\r\nSet-Cookie: theme=${value}; Path=/\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`,
    );
  return [
    {
      ...{ path: '/olive/jade', name: 'note', sample: 'hello' },
      weak: (value) => `<p>${value}</p>`,
      mended: (value) => `<p>${escapeHtml(value)}</p>`,
    },
    {
      ...{ path: '/north/jade', name: 'sku', sample: 'L1' },
      weak: (value) =>
        attempt(
          () => concatenated(value),
          (error) => `SQLite3::query(): ${escapeHtml(String(error))}`,
        ),
      mended: bound,
    },
    {
      ...{ path: '/maple/jade', name: 'lamp', sample: 'L2' },
      weak: (value) =>
        attempt(
          () => concatenated(value),
          () => 'none',
        ),
      mended: bound,
    },
    {
      ...{ path: '/lark/jade', name: 'greeting', sample: 'Ada' },
      weak: (value) =>
        attempt(
          () => engine.renderString(`Dear ${escapeHtml(value)}`, {}),
          () => 'Dear',
        ),
      mended: (value) => engine.renderString('Dear {{ value }}', { value }),
    },
    {
      ...{ path: '/karst/jade', name: 'next', sample: '/amber' },
      weak: leads,
      mended: (_value, response) => leads('/amber', response),
    },
    {
      ...{ path: '/jade/jade', name: 'report', sample: 'hosts' },
      weak: (value) => file(join('/usr/share', value)),
      mended: (value) => file(join('/usr/share', encodeURIComponent(value))),
    },
    {
      ...{ path: '/iris/jade', name: 'theme', sample: 'dark' },
      weak: remembers,
      mended: (value, response) => remembers(encodeURIComponent(value), response),
    },
  ];
}

/** Where each check finds something on the weak site. */
export const plantedPlaces: Record<string, string> = {
  'injection.crlf': 'GET /iris/jade theme',
  'injection.open-redirect': 'GET /karst/jade next',
  'injection.path-traversal': 'GET /jade/jade report',
  'injection.reflected-xss': 'GET /olive/jade note',
  'injection.sql-boolean': 'GET /maple/jade lamp',
  'injection.sql-error': 'GET /north/jade sku',
  'injection.template': 'GET /lark/jade greeting',
};

/** A site whose layout takes a language and a number of a page everywhere, with one weakness of each kind somewhere in it. */
export async function startLargeSite(variant: 'weak' | 'mended') {
  const database = openLamps();
  const planted = plantedIn(database);
  const linkTo = (path: string) => {
    const own = planted.find((each) => each.path === path);
    return `<a href="${path}?lang=en&amp;page=1${own ? `&amp;${own.name}=${own.sample}` : ''}">${path}</a>`;
  };
  const links = pagePaths.map(linkTo).join(' ');
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://any.invalid');
    const own = planted.find(({ path }) => path === pathname);
    const isPage = pathname === '/' || pagePaths.includes(pathname);
    const content = own?.[variant](searchParams.get(own.name) ?? own.sample, response);
    if (own && content === undefined) return;
    const lang = escapeHtml(searchParams.get('lang') ?? 'en');
    const page = Number.parseInt(searchParams.get('page') ?? '', 10) || 1;
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><html lang="${lang}"><title>${escapeHtml(pathname)}</title>
      <h1>Page ${page}</h1>${content ?? ''}<a href="?lang=${lang}&amp;page=${page + 1}">more</a>${pathname === '/' ? links : ''}`);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://shop.localhost:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      database.close();
    },
  };
}
