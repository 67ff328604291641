import { DatabaseSync } from 'node:sqlite';
import ejs from 'ejs';
import express from 'express';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { openLamps } from '../../../sites/lamp-database.ts';

const openBooks = (): DatabaseSync => {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  database.exec(`CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT, shelf TEXT);
    INSERT INTO books (title, author, shelf) VALUES ('Emma', 'Austen', 'novels'), ('Persuasion', 'Austen', 'novels'),
      ('Dracula', 'Stoker', 'gothic'), ('Kim', 'Kipling', 'travel'), ('Cranford', 'Gaskell', 'novels')`);
  return database;
};

const list =
  ejs.compile(`<!doctype html><title>Books</title><form action="/books"><select name="shelf"><option>novels</option><option>gothic</option></select></form>
  <ul><% for (const book of books) { %><li><a href="/books?shelf=<%= encodeURIComponent(book.shelf) %>&amp;sort=title"><%= book.title %></a></li><% } %></ul>`);

/** The stack of an error is what Express shows while NODE_ENV is not "production". */
const bookshop: ScoreCase = {
  name: 'Express bookshop with EJS, whose errors are shown as in development',
  start: (variant) => {
    const books = openBooks();
    const app = express();
    // Shows the stack as it does in development, and does not log it as well.
    app.set('env', 'test');
    app.get('/', (_request, response) => response.redirect('/books'));
    app.get('/books', (request, response) => {
      const shelf = String(request.query.shelf ?? 'novels');
      const rows =
        variant === 'vulnerable'
          ? books.prepare(`SELECT * FROM books WHERE shelf = '${shelf}' ORDER BY title`).all()
          : books.prepare('SELECT * FROM books WHERE shelf = ? ORDER BY title').all(shelf);
      response.send(list({ books: rows }));
    });
    return startApp(app, { close: () => books.close() });
  },
};

/** The message of the database stands where the rows would. The repair doubles quotes. */
const trainingGround: ScoreCase = {
  name: 'PHP-like page with a submitted number between quotes',
  start: (variant) => {
    const books = openBooks();
    const app = express();
    const form =
      '<form action="#" method="GET"><p>User ID: <input type="text" size="15" name="id"><input type="submit" name="Submit" value="Submit"></p></form>';
    app.get('/', (_request, response) => response.send('<a href="vulnerabilities/sqli/?id=2&Submit=Submit">SQL</a>'));
    app.get('/vulnerabilities/sqli/', (request, response) => {
      const given = String(request.query.id ?? '');
      const id = variant === 'vulnerable' ? given : given.replaceAll("'", "''").replaceAll('"', '""');
      try {
        const rows = books.prepare(`SELECT title, author FROM books WHERE id = '${id}';`).all();
        response.send(
          form + rows.map(({ title, author }) => `<pre>ID: ${Number(id)}<br />${title}, ${author}</pre>`).join(''),
        );
      } catch (error) {
        response.send(
          `<pre>SQLSTATE[HY000]: General error: 1 ${(error as Error).message.replaceAll('"', '&quot;')}</pre>`,
        );
      }
    });
    return startApp(app, { close: () => books.close() });
  },
};

/** As Juice Shop is built: an empty page, a bundle that knows the address, and an API that wraps errors in JSON. */
const singlePage: ScoreCase = {
  name: 'single-page shop over an API whose errors are JSON',
  start: (variant) => {
    const books = openBooks();
    const app = express();
    app.get('/', (_request, response) =>
      response.send('<!doctype html><app-root></app-root><script src="/main.js" type="module"></script>'),
    );
    app.get('/main.js', (_request, response) =>
      response
        .type('js')
        .send(`const host = ''; fetch(host + "/rest/products/search?q=").then((r) => r.json()).then(({ data }) => {
        document.querySelector('app-root').textContent = data.map((row) => row.title).join(', ');
      });`),
    );
    app.get('/rest/products/search', (request, response) => {
      const q = String(request.query.q ?? '');
      try {
        const rows =
          variant === 'vulnerable'
            ? books
                .prepare(`SELECT * FROM books WHERE ((title LIKE '%${q}%' OR author LIKE '%${q}%') AND id > 0)`)
                .all()
            : books.prepare('SELECT * FROM books WHERE title LIKE :q OR author LIKE :q').all({ q: `%${q}%` });
        response.json({ status: 'success', data: rows });
      } catch (error) {
        const { message, stack } = error as Error;
        response.status(500).json({ error: { message: `SQLITE_ERROR: ${message}`, stack } });
      }
    });
    return startApp(app, { close: () => books.close() });
  },
};

/** A form that is posted; the repair escapes by the layer in between. */
const postedSearch: ScoreCase = {
  name: 'library catalogue with a posted search and double quotes in its statement',
  start: (variant) => {
    const books = openBooks();
    const app = express();
    app.use(express.urlencoded({ extended: false }));
    app.get('/', (_request, response) =>
      response.send(
        '<form method="post" action="/catalogue/search"><input name="term" value="Kim"><select name="field"><option value="title">Title</select><button>Search</button></form>',
      ),
    );
    app.post('/catalogue/search', (request, response) => {
      const term = String(request.body.term ?? '');
      try {
        const statement = books.prepare(
          `SELECT title FROM books WHERE title = ${variant === 'vulnerable' ? `"${term}"` : '?'}`,
        );
        const rows = variant === 'vulnerable' ? statement.all() : statement.all(term);
        response.send(`<h1>${rows.length} found</h1>`);
      } catch (error) {
        const { message } = error as Error;
        response
          .status(500)
          .send(
            `<h1>OperationalError at /catalogue/search</h1><pre class="exception_value">${message.replaceAll('"', '&quot;')}</pre>`,
          );
      }
    });
    return startApp(app, { close: () => books.close() });
  },
};

/** The name of whoever logs in is looked up, and what the database says is shown. */
const loginForm: ScoreCase = {
  name: 'login form whose user name is put into the statement',
  start: (variant) => {
    const database = openLamps();
    const app = express();
    app.use(express.urlencoded({ extended: false }));
    app.get('/', (_request, response) => response.send('<a href="/account/login">Log in</a>'));
    app.get('/account/login', (_request, response) =>
      response.send(`<form method="post"><label>User <input name="user" required></label>
        <input type="password" name="secret" required><button>Log in</button></form>`),
    );
    app.post('/account/login', ({ body }, response) => {
      const { user = '', secret = '' } = body;
      try {
        if (variant === 'vulnerable')
          database.prepare(`SELECT id FROM lamps WHERE title = '${user}' AND price = '${secret}'`).all();
        else database.prepare('SELECT id FROM lamps WHERE title = ? AND price = ?').all(user, secret);
        response.status(401).send('Unknown user or wrong password');
      } catch (error) {
        const { message } = error as Error;
        response.status(500).send(`SQLite3::query(): ${message.replaceAll('<', '&lt;')}`);
      }
    });
    return startApp(app, { close: () => database.close() });
  },
};

export const cases: ScoreCase[] = [bookshop, trainingGround, singlePage, postedSearch, loginForm];
