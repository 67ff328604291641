import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { openLamps } from '../../../sites/lamp-database.ts';
import { startPostingShop } from '../../../sites/posting-shop.ts';

const openBooks = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, year INTEGER);
    INSERT INTO books (title, pages, year) VALUES ('Middlemarch', 880, 1871), ('Candide', 129, 1759), ('Walden', 352, 1854), ('Emma', 474, 1815)`);
  return database;
};

/** What goes wrong is logged, and the visitor sees an empty list. */
const quietly = <T>(read: () => T[]): T[] => {
  try {
    return read();
  } catch {
    return [];
  }
};

/** Headings of a table are links that order it. */
const catalogue: ScoreCase = {
  name: 'PHP-like catalogue whose headings order it, which hides errors',
  start: (variant) => {
    const books = openBooks();
    const app = express();
    app.get('/', (_request, response) => response.redirect('/catalogue.php?sort=title&dir=asc'));
    app.get('/catalogue.php', (request, response) => {
      const given = String(request.query.sort ?? 'title');
      const column = variant === 'vulnerable' || ['title', 'pages', 'year'].includes(given) ? given : 'title';
      const direction = request.query.dir === 'desc' ? 'DESC' : 'ASC';
      const rows = quietly(() => books.prepare(`SELECT * FROM books ORDER BY ${column} ${direction}`).all());
      const head = ['title', 'pages', 'year'].map(
        (name) => `<th><a href="/catalogue.php?sort=${name}&amp;dir=asc">${name}</a></th>`,
      );
      const body = rows.map(({ title, pages, year }) => `<tr><td>${title}<td>${pages}<td>${year}</tr>`);
      response.send(`<table><tr>${head.join('')}</tr>${body.join('')}</table><hr>Visitor ${Math.random()}`);
    });
    return startApp(app, { close: () => books.close() });
  },
};

/** The newest few of an API, whose column and direction come in one value. */
const api: ScoreCase = {
  name: 'JSON API with column and direction in one value, whose errors say nothing',
  start: (variant) => {
    const books = openBooks();
    const orders: Record<string, string> = { 'year desc': 'year DESC', 'year asc': 'year ASC', 'title asc': 'title' };
    const app = express();
    app.get('/', (_request, response) => response.send('<div id="app"></div><script src="/app.js"></script>'));
    app.get('/app.js', (_request, response) =>
      response.type('js').send('fetch("/api/books?order_by=year%20desc&max=3").then((r) => r.json()).then(show);'),
    );
    app.get('/api/books', (request, response) => {
      const given = String(request.query.order_by ?? '');
      const order = variant === 'vulnerable' ? given : (orders[given.toLowerCase()] ?? 'year DESC');
      try {
        const items = books.prepare(`SELECT id, title, year FROM books ORDER BY ${order} LIMIT 3`).all();
        response.json({ requestId: crypto.randomUUID(), items });
      } catch {
        response.status(500).json({ message: 'Internal Server Error' });
      }
    });
    return startApp(app, { close: () => books.close() });
  },
};

const page = nunjucks.compile(
  '<!doctype html><title>Shelf</title><form><select name="orderBy"><option value="pages" selected>Pages</option><option value="year">Year</option></select></form><ol>{% for book in books %}<li><b>{{ book.title }}</b></li>{% endfor %}</ol>',
  new nunjucks.Environment(null, { autoescape: true }),
);

/** A builder of statements puts the name in quotes, and takes a quote in it as it is. */
const shelf: ScoreCase = {
  name: 'Express shelf whose builder quotes the name of the column',
  start: (variant) => {
    const books = openBooks();
    const quoted = (name: string) => (variant === 'vulnerable' ? `"${name}"` : `"${name.replaceAll('"', '""')}"`);
    const app = express();
    app.get('/', (request, response) => {
      const name = String(request.query.orderBy ?? 'pages');
      response.send(
        page.render({ books: quietly(() => books.prepare(`SELECT title FROM books ORDER BY ${quoted(name)}`).all()) }),
      );
    });
    return startApp(app, { close: () => books.close() });
  },
};

/** The column is chosen from a list of the page, and taken as it comes. */
const postedOrder: ScoreCase = {
  name: 'search form with a token for each session, and a column to sort by',
  start: (variant) =>
    startPostingShop(
      '<input name="text" value="lamp"><select name="sort"><option>title<option>price</select>',
      ({ text, sort }, database) => {
        const column = variant === 'vulnerable' ? sort : ({ price: 'price' }[sort ?? ''] ?? 'title');
        const statement = `SELECT title FROM lamps WHERE title LIKE ? ORDER BY ${column}`;
        const rows = quietly(() => database.prepare(statement).all(`%${text}%`));
        return `<ul>${rows.map(({ title }) => `<li>${title}</li>`).join('')}</ul>`;
      },
      openLamps(),
    ),
};

export const cases: ScoreCase[] = [catalogue, api, shelf, postedOrder];
