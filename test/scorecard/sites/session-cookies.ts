import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express, { type Express } from 'express';
import session from 'express-session';
import jwt from 'jsonwebtoken';
import { makeCertificate } from '../../fixtures/certificates.ts';
import { startNameServer } from '../../fixtures/name-server.ts';
import type { ScoreCase, ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

/** How a site sets its session cookie. */
type CookieSettings = { secure?: boolean; sameSite?: 'lax' | 'strict' | 'none'; domain?: string };

const host = 'www.northwind.shop';

/** A basket in the session that express-session keeps, and signs the name of. */
function basket(cookie: CookieSettings): Express {
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  // The server itself speaks TLS, which it does not see behind a proxy.
  app.set('trust proxy', true);
  app.use(
    session({ secret: randomBytes(16).toString('hex'), resave: false, saveUninitialized: true, cookie, proxy: true }),
  );
  app.get('/', (request, response) => {
    const { views = 0 } = request.session as { views?: number };
    Object.assign(request.session, { views: views + 1 });
    response.send('<!doctype html><title>Basket</title><form method="post" action="/basket"><input name="sku"></form>');
  });
  return app;
}

const written = ({ secure, sameSite, domain }: CookieSettings): string =>
  [
    ...(domain ? [`domain=${domain}`] : []),
    ...(secure ? ['secure'] : []),
    'HttpOnly',
    ...(sameSite ? [`SameSite=${sameSite}`] : []),
  ].join('; ');

/** Sessions in a table, as PHP with a handler of its own has them; each page starts one, beside a cookie for the language. */
function forum(cookie: CookieSettings): Express {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE sessions (id TEXT PRIMARY KEY, data TEXT)');
  const app = express();
  app.get(['/', '/index.php', '/viewtopic.php'], (request, response) => {
    const given = /PHPSESSID=(\w+)/.exec(request.get('cookie') ?? '')?.[1] ?? '';
    response.append('set-cookie', 'lang=en; path=/; Max-Age=31536000; SameSite=Lax; secure');
    if (!database.prepare('SELECT 1 FROM sessions WHERE id = ?').get(given)) {
      const id = randomBytes(13).toString('hex');
      database.prepare('INSERT INTO sessions VALUES (?, ?)').run(id, '');
      response.append('set-cookie', `PHPSESSID=${id}; path=/; ${written(cookie)}`);
    }
    response.send('<html><body><a href="viewtopic.php?t=1">Welcome</a></body></html>');
  });
  return app;
}

/** A guest gets a signed token for an interface; the start page sets nothing. */
function tickets(cookie: CookieSettings): Express {
  const secret = randomBytes(32);
  const app = express();
  app.get('/', (_request, response) => void response.send('<!doctype html><a href="/events">Events</a>'));
  app.get('/events', (_request, response) => {
    const token = jwt.sign({ sub: crypto.randomUUID(), role: 'guest' }, secret, { expiresIn: '1h' });
    response.cookie('auth_token', token, { ...cookie, httpOnly: true, path: '/' });
    response.send('<!doctype html><h1>Events</h1><form method="post" action="/events"><button>Book</button></form>');
  });
  return app;
}

const builds = {
  'basket of express-session': basket,
  'forum with sessions in a table': forum,
  'tickets with a signed token': tickets,
};

async function start(app: Express): Promise<ScoreSite> {
  const names = await startNameServer({ [`${host} A`]: ['127.0.0.1'] });
  const tls = await makeCertificate({ commonName: host });
  const options = { dnsServer: names.address, hosts: [host], authority: tls.cert };
  return startApp(app, { tls, host, options, close: () => names.close() });
}

/** Three ways to keep a session over HTTPS at www.northwind.shop, each with the settings of its cookie. */
export const cookieCases = (settings: Record<Variant, CookieSettings>[]): ScoreCase[] =>
  Object.entries(builds).map(([name, build], index) => ({
    name,
    start: (variant) => start(build(settings[index]?.[variant] ?? {})),
  }));
