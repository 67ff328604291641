import { randomBytes } from 'node:crypto';
import express, { type Express } from 'express';
import jwt from 'jsonwebtoken';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

const environment = new nunjucks.Environment(null, { autoescape: true });
const form = nunjucks.compile(
  '<!doctype html><form action="/login"{% if isPost %} method="post"{% endif %}><input name="user"><input type="password" name="pass"><input type="submit"></form>',
  environment,
);

/** The method of the form was forgotten. */
function guestBook(isPost: boolean): Express {
  const app = express();
  app.get('/', (_request, response) => void response.send(form.render({ isPost })));
  return app;
}

/** As servlet containers do for browsers whose cookies they do not know yet: in the links, or in the cookie alone. */
function servlets(rewrites: boolean): Express {
  const app = express();
  const links = nunjucks.compile(
    '<html><body><a href="/shop/list.jsp{{ id }}">Products</a> <a href="/shop/cart.jsp{{ id }}">Cart</a></body></html>',
    environment,
  );
  app.get(/.*/, (request, response) => {
    if (request.get('cookie')?.includes('JSESSIONID')) return void response.send(links.render({ id: '' }));
    const id = randomBytes(16).toString('hex').toUpperCase();
    response.append('set-cookie', `JSESSIONID=${id}; Path=/; HttpOnly`);
    response.send(links.render({ id: rewrites ? `;jsessionid=${id}` : '' }));
  });
  return app;
}

/** A guest is handed on to another application: with a token in the address, or with a code that is used up once. */
function handOver(tokenInAddress: boolean): Express {
  const secret = randomBytes(32);
  const codes = new Map<string, string>();
  const app = express();
  app.get('/', (_request, response) => void response.send('<!doctype html><a href="/guest">Continue as guest</a>'));
  app.get('/guest', (_request, response) => {
    const token = jwt.sign({ sub: crypto.randomUUID() }, secret, { expiresIn: '10m' });
    const code = randomBytes(16).toString('hex');
    codes.set(code, token);
    response.redirect(tokenInAddress ? `/app?id_token=${token}` : `/app?code=${code}`);
  });
  app.get('/app', (_request, response) => void response.send('<!doctype html><p>The application</p>'));
  return app;
}

const isVulnerable = (variant: string) => variant === 'vulnerable';

export const cases: ScoreCase[] = [
  { name: 'guest book whose form has no method', start: (variant) => startApp(guestBook(!isVulnerable(variant))) },
  { name: 'servlets that put the session into links', start: (variant) => startApp(servlets(isVulnerable(variant))) },
  { name: 'hand-over of guests by a redirect', start: (variant) => startApp(handOver(isVulnerable(variant))) },
];
