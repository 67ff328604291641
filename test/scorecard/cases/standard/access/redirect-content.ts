import type { RequestListener } from 'node:http';
import ejs from 'ejs';
import express, { type Express, type Response } from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

const orders = [
  { number: 4711, buyer: 'Mira Olsen', total: '84.50' },
  { number: 4712, buyer: 'Tomas Vidal', total: '12.00' },
  { number: 4713, buyer: 'Aiko Mori', total: '230.90' },
];
const login =
  '<!doctype html><h1>Sign in</h1><form method="post"><input name="email"><input type="password" name="password"><button>Sign in</button></form>';

/** A template is rendered into an answer whose status and Location are set already. */
function shop(ends: boolean): Express {
  const app = express();
  const send = (response: Response) =>
    response.end(
      ejs.render(
        '<!doctype html><h1>Orders of today</h1><table><% for (const o of orders) { %><tr><td><%= o.number %></td><td><%= o.buyer %></td><td><%= o.total %></td></tr><% } %></table>',
        { orders },
      ),
    );
  app.get('/', (_request, response) => void response.send('<!doctype html><a href="/orders">Orders</a>'));
  app.get('/login', (_request, response) => void response.send(login));
  app.get('/orders', (_request, response) => {
    response.status(302).location('/login').type('html');
    return ends ? response.end() : send(response);
  });
  return app;
}

/** An administration that nothing links to; its layout is that of every page. */
function club(ends: boolean): Express {
  const environment = new nunjucks.Environment(null, { autoescape: true });
  const layout = nunjucks.compile(
    '<!doctype html><nav><a href="/">Club</a> <a href="/login">Members</a></nav><main>{{ main | safe }}</main><footer>Rowing club since 1921</footer>',
    environment,
  );
  const members =
    '<h2>Members to be admitted</h2><ul><li>Grace Okoye, Pier 4</li><li>Luc Petit, Mill Lane 9</li></ul><p>Fees not paid: 3</p>';
  const app = express();
  app.get('/', (_request, response) => void response.send(layout.render({ main: '<p>We row on Sundays.</p>' })));
  app.get('/login', (_request, response) => void response.send(layout.render({ main: login })));
  app.get('/admin', (_request, response) => {
    const main = ends ? '<p>You are being redirected to the login.</p>' : members;
    response.status(303).location('/login?next=/admin').send(layout.render({ main }));
  });
  return app;
}

/** Without a framework: the guard sets what the browser is to do, and forgets to return. */
const bare =
  (ends: boolean): RequestListener =>
  (request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/') return void response.end('<!doctype html><a href="/account/start">My letters</a>');
    if (pathname === '/enter') return void response.end(login);
    if (pathname !== '/account/start') return void response.writeHead(404).end('Not found');
    response.writeHead(307, { Location: '/enter' });
    if (ends) return void response.end();
    response.write('<!doctype html><h1>Letters</h1><ol><li>From the harbour office</li>');
    response.end('<li>From the notary</li></ol><p>Two letters are unread</p>');
  };

export const cases: ScoreCase[] = [
  {
    name: 'shop that goes on to render its orders',
    start: (variant) => startApp(shop(variant === 'patched')),
  },
  {
    name: 'club whose administration is sent with the redirect, in the layout of all pages',
    start: (variant) => startApp(club(variant === 'patched')),
  },
  {
    name: 'guard that forgets to return',
    start: (variant) => startApp(bare(variant === 'patched')),
  },
];
