import { DatabaseSync } from 'node:sqlite';
import ejs from 'ejs';
import express, { type Express, type RequestHandler } from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

const people = ['mira.olsen', 'tomas.vidal', 'aiko.mori', 'grace.okoye', 'luc.petit'];

function database(): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, role TEXT, last_login TEXT)');
  const insert = db.prepare('INSERT INTO users (name, email, role, last_login) VALUES (?, ?, ?, ?)');
  for (const name of people) insert.run(name, `${name}@kestrel-tools.shop`, 'customer', '2026-01-12');
  return db;
}

const toLogin: RequestHandler = (_request, response) => response.redirect('/login');
const refused: RequestHandler = (_request, response) => void response.status(401).json({ error: 'unauthorized' });

/** Pages made on the server; the branch for administrators is not linked. */
function shop(guard: RequestHandler[]): Express {
  const db = database();
  const app = express();
  app.get('/', (_request, response) => void response.send('<!doctype html><h1>Tools</h1><a href="/login">Sign in</a>'));
  app.get(
    '/login',
    (_request, response) =>
      void response.send('<form method="post"><input name="email"><input type="password" name="password"></form>'),
  );
  app.get(
    '/admin/users',
    ...guard,
    (_request, response) =>
      void response.send(
        ejs.render(
          '<!doctype html><table class="table"><% for (const u of users) { %><tr><td><%= u.name %></td><td><%= u.email %></td><td><form method="post" action="/admin/users/<%= u.id %>/delete"><button>Delete</button></form></td></tr><% } %></table>',
          { users: db.prepare('SELECT * FROM users').all() },
        ),
      ),
  );
  return app;
}

/** One page whose script names the routes of its interface; every unknown path shows that page. */
function singlePage(guard: RequestHandler[]): Express {
  const db = database();
  const app = express();
  app.get(
    '/assets/index-3f9a.js',
    (_request, response) =>
      void response
        .type('js')
        .send('const api = { me: "/api/me", members: "/api/admin/members" }; fetch(api.me); document.title = "Club"'),
  );
  app.get('/api/me', (_request, response) => void response.json({ user: null }));
  app.get(
    '/api/admin/members',
    ...guard,
    (_request, response) =>
      void response.json({ total: people.length, items: db.prepare('SELECT * FROM users').all() }),
  );
  app.use(
    (_request, response) =>
      void response.send(
        '<!doctype html><div id="app"></div><script type="module" src="/assets/index-3f9a.js"></script>',
      ),
  );
  return app;
}

/** A site that is set up in the browser, and asks robots not to look there. */
function blog(guard: RequestHandler[]): Express {
  const settings = nunjucks.compile(
    '<form method="post" action="/backoffice/setup">{% for each in names %}<label>{{ each }} <input name="settings[{{ each }}]"></label>{% endfor %}<button>Save</button></form>',
    new nunjucks.Environment(null, { autoescape: true }),
  );
  const app = express();
  app.get('/', (_request, response) => void response.send('<!doctype html><article>First post</article>'));
  app.get(
    '/robots.txt',
    (_request, response) => void response.type('text').send('User-agent: *\nDisallow: /backoffice/\n'),
  );
  app.get(
    '/backoffice/',
    ...guard,
    (_request, response) =>
      void response.send(
        settings.render({ names: ['site_name', 'smtp_host', 'smtp_user', 'default_role', 'maintenance'] }),
      ),
  );
  return app;
}

export const cases: ScoreCase[] = [
  {
    name: 'shop whose users are behind an address that nothing links to',
    start: (variant) => startApp(shop(variant === 'patched' ? [toLogin] : [])),
  },
  {
    name: 'single page whose interface lists members',
    start: (variant) => startApp(singlePage(variant === 'patched' ? [refused] : [])),
  },
  {
    name: 'blog whose settings robots.txt gives away',
    start: (variant) => startApp(blog(variant === 'patched' ? [toLogin] : [])),
  },
];
