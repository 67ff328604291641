import { randomUUID } from 'node:crypto';
import ejs from 'ejs';
import express from 'express';
import nunjucks from 'nunjucks';
import { type CacheRules, cdn, startCachingProxy, varnish } from '../../../../fixtures/caching-proxy.ts';
import type { ScoreCase, ScoreSite } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';

/** The application with a cache in front of it, which is what visitors reach. */
async function behind(rules: CacheRules, app: express.Express): Promise<ScoreSite> {
  const site = await startApp(app);
  const cache = await startCachingProxy(site.url, rules);
  return {
    url: cache.url,
    close: async () => {
      await cache.close();
      await site.close();
    },
  };
}

/** Mended by what makes an answer part of the key. */
const forwardedHost: ScoreCase = {
  name: 'Express shop that trusts every proxy, behind a Varnish that has no rule for X-Forwarded-Host',
  start: (variant) => {
    const page = ejs.compile(
      '<!doctype html><link rel="canonical" href="<%= base %>/"><script src="<%= base %>/js/shop.js"></script><h1>Lamps</h1><a href="/lamps">All lamps</a>',
    );
    const app = express();
    app.set('trust proxy', true);
    app.use((_request, response, next) => {
      response.set('cache-control', 'public, max-age=120');
      if (variant === 'patched') response.vary('X-Forwarded-Host');
      next();
    });
    const show: express.RequestHandler = (request, response) =>
      void response.send(page({ base: `${request.protocol}://${request.host}` }));
    app.get('/', show);
    app.get('/lamps', show);
    app.get('/js/shop.js', (_request, response) => response.type('js').send('void 0'));
    return behind(varnish, app);
  },
};

/** Visitors of all campaigns share an entry. Mended by a key that has the whole query. */
const campaign: ScoreCase = {
  name: 'newspaper with a banner for the campaign, behind a CDN that takes utm parameters out of its key',
  start: (variant) => {
    const templates = new nunjucks.Environment(null, { autoescape: false });
    const app = express();
    app.get('/', (request, response) => {
      const { utm_source: from = 'us' } = request.query;
      response.set('cache-control', 's-maxage=60');
      const page = '<!doctype html><h1>Morning Post</h1><p>Welcome, reader from {{ from }}!</p>';
      response.send(templates.renderString(page, { from }));
    });
    const withoutCampaign: CacheRules = {
      ...cdn,
      key: (target) => {
        const { pathname, searchParams } = new URL(target, 'http://any.invalid');
        const kept = [...searchParams].filter(([name]) => !name.startsWith('utm_'));
        return `${pathname}?${new URLSearchParams(kept)}`;
      },
    };
    return behind(variant === 'vulnerable' ? withoutCampaign : cdn, app);
  },
};

/** The page cache of the framework says nothing of itself. Mended by a configured name. */
const pageCache: ScoreCase = {
  name: 'Rails-like site with a page cache in its own process that believes X-Host',
  start: (variant) => {
    const pages = new Map<string, string>();
    const app = express();
    app.use((request, response, next) => {
      const kept = pages.get(request.originalUrl);
      if (kept !== undefined) return void response.send(kept);
      const send = response.send.bind(response);
      response.send = (body) => {
        if (response.statusCode === 200) pages.set(request.originalUrl, String(body));
        return send(body);
      };
      next();
    });
    app.get('/', (request, response) => {
      const host = (variant === 'vulnerable' ? request.get('x-host') : undefined) ?? request.get('host');
      response.send(
        `<!doctype html><meta name="csrf-token" content="${randomUUID()}"><form action="http://${ejs.escapeXML(host)}/newsletter" method="post"><input name="email"></form>`,
      );
    });
    return startApp(app);
  },
};

/** Another page is served than the one that the cache believes was asked for. Mended by not storing what a proxy's header shapes. */
const rewrittenAddress: ScoreCase = {
  name: 'Symfony-like site that routes by X-Original-URL, behind a CDN that keeps errors, too',
  start: (variant) => {
    const app = express();
    app.use((request, response, next) => {
      response.set('cache-control', variant === 'vulnerable' ? 'public, s-maxage=300' : 'no-store');
      request.url = request.get('x-original-url') ?? request.get('x-rewrite-url') ?? request.url;
      next();
    });
    app.get(
      '/',
      (_request, response) => void response.send('<!doctype html><h1>Timetable</h1><a href="/lines">Lines</a>'),
    );
    app.get('/lines', (_request, response) => void response.send('<!doctype html><h1>Lines</h1>'));
    app.use((_request, response) => void response.status(404).send('<!doctype html><h1>No such page</h1>'));
    return behind(cdn, app);
  },
};

export const cases: ScoreCase[] = [forwardedHost, campaign, pageCache, rewrittenAddress];
