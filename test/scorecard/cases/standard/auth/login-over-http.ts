import express, { type Express } from 'express';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { certificateForShop } from '../../../sites/certificate.ts';
import { startApp } from '../../../sites/express.ts';

const environment = new nunjucks.Environment(null, { autoescape: true });
const login = nunjucks.compile(
  '<!doctype html><title>Sign in</title><form id="login" method="post" action="{{ action }}"><input name="username"><input name="password" type="password" autocomplete="current-password"><button>Sign in</button></form>',
  environment,
);

/** Templates build addresses from a setting, which is still that of before HTTPS. */
function intranet(base: string): Express {
  const app = express();
  app.get('/', (_request, response) => void response.send('<!doctype html><a href="/accounts/login/">Sign in</a>'));
  app.get(
    '/accounts/login/',
    (_request, response) => void response.send(login.render({ action: `${base}/accounts/login/` })),
  );
  return app;
}

/** The login is on the start page, beside the news. */
function club(isSecure: boolean): Express {
  const app = express();
  app.get(
    '/',
    (_request, response) =>
      void (isSecure
        ? response.send(login.render({ action: '/enter' }))
        : response.send(login.render({ action: 'https://shop.localhost/enter' }))),
  );
  return app;
}

/** Statistics behind the web server's own password; without TLS nothing is said of a password. */
function statistics(asks: boolean): Express {
  const app = express();
  app.get(
    '/',
    (_request, response) => void response.send('<!doctype html><p>Welcome</p><a href="/stats/">Statistics</a>'),
  );
  app.get(
    '/stats/',
    (_request, response) =>
      void (asks
        ? response.status(401).set('www-authenticate', 'Basic realm="Statistics"').send('401 Authorization Required')
        : response.status(403).send('Only over HTTPS')),
  );
  return app;
}

export const cases: ScoreCase[] = [
  {
    name: 'intranet over HTTPS whose form goes to an http address',
    start: async (variant) =>
      startApp(intranet(variant === 'vulnerable' ? 'http://shop.localhost' : ''), { tls: await certificateForShop() }),
  },
  {
    name: 'club whose start page with the login comes over http',
    start: async (variant) =>
      variant === 'vulnerable' ? startApp(club(false)) : startApp(club(true), { tls: await certificateForShop() }),
  },
  {
    name: 'statistics with Basic authentication over http',
    start: (variant) => startApp(statistics(variant === 'vulnerable')),
  },
];
