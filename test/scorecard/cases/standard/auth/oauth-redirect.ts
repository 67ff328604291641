import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express, { type Express, type Request } from 'express';
import session from 'express-session';
import jwt from 'jsonwebtoken';
import nunjucks from 'nunjucks';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { identitiesOf, people } from '../../../sites/people.ts';

/** Members log in with a form; express-session keeps who they are. */
function withLogin(app: Express): (request: Request) => string | undefined {
  app.use(express.urlencoded({ extended: false }));
  app.use(session({ secret: randomBytes(16).toString('hex'), resave: false, saveUninitialized: false }));
  const userOf = ({ session: kept }: Request) => (kept as { user?: string }).user;
  app.get('/', (_request, response) => response.redirect('/account'));
  app.get('/login', (_request, response) =>
    response.send(
      '<form method="post"><input name="username"><input type="password" name="password"><button>Log in</button></form>',
    ),
  );
  app.post('/login', (request, response) => {
    const { username, password } = request.body;
    const person = people.find((each) => each.username === username && each.password === password);
    if (!person) return response.status(401).send('Wrong name or password');
    Object.assign(request.session, { user: person.name });
    return response.redirect('/account');
  });
  return userOf;
}

const options = { identities: identitiesOf({ path: '/login', checkPath: '/account' }, { count: 1 }) };

/** A table of clients, of which the author keeps the origin and means all of its pages. */
const club: ScoreCase = {
  name: 'club that logs members in to partner shops of a table, by the beginning of their addresses',
  start: (variant) => {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE clients (id TEXT, address TEXT); CREATE TABLE codes (code TEXT, user TEXT)');
    database.prepare('INSERT INTO clients VALUES (?, ?)').run('lamps', 'https://lamps.example/signed-in');
    const app = express();
    const userOf = withLogin(app);
    app.get('/account', (request, response) => {
      const user = userOf(request);
      const link =
        '/sso/auth?client_id=lamps&response_type=code&scope=profile&redirect_uri=https%3A%2F%2Flamps.example%2Fsigned-in';
      return user === undefined
        ? response.redirect('/login')
        : response.send(`<h1>${user}</h1><a href="${link.replaceAll('&', '&amp;')}">To the lamps</a>`);
    });
    app.get('/sso/auth', (request, response) => {
      const { client_id: id, redirect_uri: address } = request.query;
      const client = database.prepare('SELECT address FROM clients WHERE id = ?').get(String(id));
      const known = String(client?.address ?? '');
      const isKnown =
        variant === 'vulnerable'
          ? String(address).startsWith(new URL(known || 'https://none').origin)
          : address === known;
      if (!client || !isKnown) return response.status(400).send('This shop is not a partner.');
      const user = userOf(request);
      if (user === undefined) return response.redirect('/login');
      const code = randomBytes(16).toString('base64url');
      database.prepare('INSERT INTO codes VALUES (?, ?)').run(code, user);
      return response.redirect(`${address}?code=${code}`);
    });
    return startApp(app, { options });
  },
};

/** Single-page clients of a company get an identity token behind "#", on whichever of its hosts they are. */
const company: ScoreCase = {
  name: 'company whose clients get a JSON Web Token behind "#", by the end of their hosts',
  start: (variant) => {
    const app = express();
    const userOf = withLogin(app);
    const secret = randomBytes(32);
    app.get('/account', (request, response) => {
      const user = userOf(request);
      return user === undefined
        ? response.redirect('/login')
        : response.send(`<h1>${user}</h1><form action="/connect/authorize"><input type="hidden" name="response_type"
          value="id_token"><input type="hidden" name="client_id" value="tickets"><input type="hidden" name="nonce"
          value="c7Qv0LmTz2"><input type="hidden" name="redirect_uri" value="https://tickets.northwind.example/app">
          <button>Open the tickets</button></form>`);
    });
    app.get('/connect/authorize', (request, response) => {
      const { client_id: id, redirect_uri: address, nonce } = request.query;
      const place = URL.parse(String(address));
      const isOwn =
        variant === 'vulnerable'
          ? (place?.hostname.endsWith('northwind.example') ?? false)
          : place?.href === 'https://tickets.northwind.example/app';
      if (id !== 'tickets' || !isOwn) return response.status(400).send('invalid_request');
      const user = userOf(request);
      if (user === undefined) return response.redirect('/login');
      return response.redirect(`${address}#id_token=${jwt.sign({ sub: user, aud: id, nonce }, secret)}`);
    });
    return startApp(app, { options });
  },
};

/** A terminal knows its visitor by itself, and posts the code from a page of its own. */
const terminal: ScoreCase = {
  name: 'terminal without a login that posts codes to whatever address it is given',
  start: (variant) => {
    const page = nunjucks.compile(
      `<!doctype html><body onload="document.forms[0].submit()"><form method="post" action="{{ address }}">
      <input type="hidden" name="code" value="{{ code }}"><input type="hidden" name="state" value="{{ state }}"></form>`,
      new nunjucks.Environment(null, { autoescape: true }),
    );
    const clients = new Map([['kitchen', 'https://kitchen.example/oidc/back']]);
    const app = express();
    app.get('/', (_request, response) => response.send('<a href="/orders">Orders</a>'));
    app.get('/orders', (_request, response) =>
      response.redirect(
        `/o/authorize?response_type=code&response_mode=form_post&client_id=kitchen&state=7c&redirect_uri=${encodeURIComponent(clients.get('kitchen') ?? '')}`,
      ),
    );
    app.get('/o/authorize', (request, response) => {
      const { client_id: id, redirect_uri: address, state } = request.query;
      const known = clients.get(String(id));
      if (known === undefined || (variant === 'patched' && known !== address))
        return response.status(400).send('<h1>Unknown client</h1>');
      return response.send(page.render({ address, state, code: randomBytes(12).toString('hex') }));
    });
    return startApp(app);
  },
};

export const cases: ScoreCase[] = [club, company, terminal];
