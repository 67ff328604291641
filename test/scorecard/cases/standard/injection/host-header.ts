import ejs from 'ejs';
import express from 'express';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

/** Express believes what the last hop says as soon as it trusts every proxy. */
const forgottenPassword: ScoreCase = {
  name: 'Express site that trusts every proxy, with a page for lost passwords',
  start: (variant) => {
    const page = ejs.compile(
      '<!doctype html><link rel="canonical" href="<%= base %>/account/forgot"><form method="post" action="<%= base %>/account/forgot"><input name="email" type="email"></form>',
    );
    const app = express();
    app.set('trust proxy', variant === 'vulnerable');
    app.get('/', (_request, response) => response.send('<a href="/account/forgot">Forgot your password?</a>'));
    app.get('/account/forgot', (request, response) =>
      response.send(page({ base: `${request.protocol}://${request.host}` })),
    );
    return startApp(app);
  },
};

/** Who is not logged in is sent on, to an absolute address. */
const absoluteRedirect: ScoreCase = {
  name: 'Django-like site that uses X-Forwarded-Host in redirects',
  start: (variant) => {
    const app = express();
    const hostOf = (request: express.Request) =>
      (variant === 'vulnerable' ? request.get('x-forwarded-host') : undefined) ?? request.get('host');
    app.get('/', (request, response) => response.redirect(`http://${hostOf(request)}/accounts/login/?next=/`));
    app.get('/accounts/login/', (_request, response) =>
      response.send('<form method="post"><input name="username"><input name="password" type="password"></form>'),
    );
    return startApp(app);
  },
};

/** Addresses of script and pictures are made of the host, and a cache may keep the page. */
const assetHost: ScoreCase = {
  name: 'shop whose assets have absolute addresses of the host of RFC 7239',
  start: (variant) => {
    const app = express();
    app.get('/', (request, response) => {
      const forwarded = /host="?([^;,"]+)/i.exec(request.get('forwarded') ?? '')?.[1];
      const host = (variant === 'vulnerable' ? forwarded : undefined) ?? request.get('host');
      response.set('cache-control', 'public, max-age=600');
      response.send(
        `<!doctype html><script src="//${host}/js/shop.js"></script><img src="//${host}/img/a.png"><h1>Shop</h1>`,
      );
    });
    app.get('/js/shop.js', (_request, response) => response.type('js').send('void 0'));
    return startApp(app);
  },
};

export const cases: ScoreCase[] = [forgottenPassword, absoluteRedirect, assetHost];
