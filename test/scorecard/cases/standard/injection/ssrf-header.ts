import express, { type Request } from 'express';
import type { ScoreCase } from '../../../case.ts';
import { calledBack } from '../../../sites/called-back.ts';
import { startApp } from '../../../sites/express.ts';

const partners = new Set(['partner.example']);
const ownHost = 'shop.localhost';

const fetchQuietly = (url: string): void => void fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => {});

/** Every page is made after `use` got the request. */
const site = (
  name: string,
  vulnerable: (request: Request) => void,
  patched: (request: Request) => void,
): ScoreCase => ({
  name,
  start: async (variant) => {
    const app = express();
    app.use((request, _response, next) => {
      (variant === 'vulnerable' ? vulnerable : patched)(request);
      next();
    });
    app.get('/', (_request, response) => void response.send('<h1>Lamps</h1><a href="/about">About us</a>'));
    app.get('/about', (_request, response) => void response.send('<h1>About</h1>'));
    return calledBack(await startApp(app));
  },
});

/** Titles of the pages that link here are looked up. */
const backlinks = site(
  'statistics with the titles of referring pages',
  ({ headers }) => URL.canParse(headers.referer ?? '') && fetchQuietly(headers.referer ?? ''),
  ({ headers }) =>
    partners.has(URL.parse(headers.referer ?? '')?.hostname ?? '') && fetchQuietly(headers.referer ?? ''),
);

/** A page asks its own interface by the name that it was called with. */
const rendering = site(
  'page that asks its own interface at the forwarded host',
  ({ headers, path }) => {
    const host = headers['x-forwarded-host'] ?? headers.host;
    if (path === '/') fetchQuietly(`http://${host}/api/menu`);
  },
  ({ headers, path }) => {
    if (path === '/' && headers.host?.startsWith(ownHost)) fetchQuietly(`http://${headers.host}/api/menu`);
  },
);

/** Profiles of devices are addresses of XML. */
const devices = site(
  'page for telephones that looks at their profile',
  ({ headers }) => headers['x-wap-profile'] && fetchQuietly(String(headers['x-wap-profile']).replaceAll('"', '')),
  () => {},
);

export const cases: ScoreCase[] = [backlinks, rendering, devices];
