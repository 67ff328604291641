import express, { type Express, type Request } from 'express';
import { type CacheRules, cdn, startCachingProxy, varnish } from '../../../../fixtures/caching-proxy.ts';
import type { ScoreCase, ScoreSite, Variant } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

const people: Record<string, string> = {
  s1a2b3c4d5e6f7: 'ann@northwind.example',
  s9z8y7x6w5v4u3: 'bob@northwind.example',
};
const personOf = ({ headers }: Request): string =>
  people[/sid=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? ''] ?? 'Please log in';
const identities = (checkPath: string) =>
  Object.entries(people).map(([sid, marker], index) => ({
    name: 'AB'[index] ?? '',
    cookies: { sid },
    checkPath,
    marker,
  }));

/** An application behind a cache. */
async function behindCache(app: Express, rules: CacheRules, checkPath: string): Promise<ScoreSite> {
  const site = await startApp(app);
  const cache = await startCachingProxy(site.url, rules);
  return {
    url: cache.url,
    options: { identities: identities(checkPath) },
    async close() {
      await cache.close();
      await site.close();
    },
  };
}

const starting =
  (build: (app: Express, variant: Variant) => void, rules: CacheRules, checkPath: string) => (variant: Variant) => {
    const app = express();
    app.get('/', (_request, response) => void response.send(`<a href="${checkPath}">My page</a>`));
    build(app, variant);
    return behindCache(app, rules, checkPath);
  };

const longLived = 'public, max-age=300';

/** Everything below the route is the account, and the server gives files a long life by their name. */
const account: ScoreCase = {
  name: 'account whose route takes every path below it',
  start: starting(
    (app, variant) => {
      app.use(({ path }, response, next) => {
        if (/\.(?:css|js|png)$/.test(path)) response.set('Cache-Control', longLived);
        next();
      });
      app.get(variant === 'vulnerable' ? '/account{/*rest}' : '/account', (request, response) => {
        if (!request.path.includes('.')) response.set('Cache-Control', 'no-store');
        response.send(`<h1>Account</h1><p>${personOf(request)}</p>`);
      });
    },
    varnish,
    '/account',
  ),
};

/** The JSON of a front end, at a path whose parameters are cut off. */
const interfaceOfShop: ScoreCase = {
  name: 'interface that cuts parameters off its paths',
  start: starting(
    (app, variant) => {
      app.use((request, response, next) => {
        response.set('Cache-Control', /\.css$/.test(request.path) ? longLived : 'private');
        if (variant === 'vulnerable') request.url = request.url.replace(/;[^/?]*/, '');
        next();
      });
      app.get('/api/me', (request, response) => void response.json({ mail: personOf(request) }));
    },
    cdn,
    '/api/me',
  ),
};

/** A page that is kept unless it says otherwise; the repair says so. */
const orders: ScoreCase = {
  name: 'orders by a number that may be anything',
  start: starting(
    (app, variant) => {
      app.get('/orders{/*number}', (request, response) => {
        const isFile = request.path.endsWith('.css');
        response.set('Cache-Control', isFile && variant === 'vulnerable' ? longLived : 'private, no-store');
        response.send(`<h1>Orders of ${personOf(request)}</h1><p>Three lamps</p>`);
      });
    },
    cdn,
    '/orders',
  ),
};

export const cases: ScoreCase[] = [account, interfaceOfShop, orders];
