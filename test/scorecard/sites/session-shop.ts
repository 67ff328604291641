import { randomBytes } from 'node:crypto';
import cors, { type CorsOptions } from 'cors';
import ejs from 'ejs';
import express, { type Request } from 'express';
import session from 'express-session';
import type { ScoreSite } from '../case.ts';
import { certificateForShop } from './certificate.ts';
import { startApp } from './express.ts';
import { identitiesOf, newPeople, type Person } from './people.ts';

declare module 'express-session' {
  interface SessionData {
    userId: number;
    token: string;
  }
}

/** What the shop's developer got wrong; nothing by default. */
type ShopFlaws = {
  /** The session goes on under the same identifier after a login. */
  keepsIdentifier?: boolean;
  /** Forms are taken from anywhere. */
  takesAnyForm?: boolean;
  /** A logout takes the cookie away, and leaves the session. */
  keepsSession?: boolean;
  /** Orders are looked up by their number alone. */
  showsAnyOrder?: boolean;
  /** The pages of the office ask who is logged in, and not for the role. */
  opensOffice?: boolean;
  cookie?: session.CookieOptions;
  /** Who may read the answers below "/api". */
  cors?: CorsOptions;
};

const page = (content: string) =>
  ejs.compile(`<!doctype html><title>Holm</title><nav><a href="/">Home</a>
  <% if (user) { %><b>Signed in as <%= user.name %></b> <a href="/account">Account</a> <a href="/orders">Orders</a>
  <% if (user.role === 'admin') { %><a href="/backoffice/customers">Customers</a><% } %>
  <form class="button_to" method="post" action="/session"><input type="hidden" name="_method" value="delete"><input type="hidden" name="authenticity_token" value="<%= token %>"><button>Sign out</button></form>
  <% } else { %><a href="/session/new">Sign in</a><% } %></nav><main>${content}</main>`);

const pages = {
  home: page('<h1>Chairs and lamps</h1>'),
  login:
    page(`<form method="post" action="/session"><input type="hidden" name="authenticity_token" value="<%= token %>">
    <label>Name <input name="session[username]"></label><label>Password <input type="password" name="session[password]"></label><button name="commit">Sign in</button></form>`),
  account:
    page(`<h1>Account</h1><p><%= user.mail %></p><a href="/api/account">Data</a><form method="post" action="/account"><input type="hidden" name="authenticity_token" value="<%= token %>">
    <input name="street" value="<%= user.street %>"><button>Save</button></form>`),
  orders: page(
    '<ul><% for (const number of orders) { %><li><a href="/orders/<%= number %>">Order <%= number %></a></li><% } %></ul>',
  ),
  order: page(
    '<h1>Order <%= number %></h1><dl><dt>Ship to</dt><dd><%= owner.name %>, <%= owner.street %></dd><dt>Contact</dt><dd><%= owner.mail %></dd></dl>',
  ),
  customers: page(
    '<h1>Customers</h1><table><% for (const each of people) { %><tr><td><%= each.name %><td><%= each.mail %><td><%= each.street %></tr><% } %></table>',
  ),
};

const ordersOf = ({ id }: Person): number[] => [id * 100 + 3, id * 100 + 8];

/** A shop over HTTPS whose pages are made on the server, with sessions of express-session and tokens in its forms as Rails has them. */
export async function startSessionShop(flaws: ShopFlaws = {}, withAdmin = false): Promise<ScoreSite> {
  const shop = newShop(flaws);
  addEntrance(shop);
  addMembersPages(shop);
  const identities = identitiesOf(
    { path: '/session/new', checkPath: '/account', markerOf: (name) => `Signed in as ${name}` },
    { withAdmin },
  );
  return startApp(shop.app, { tls: await certificateForShop(), options: { identities } });
}

type Shop = ReturnType<typeof newShop>;

function newShop(flaws: ShopFlaws) {
  const people = newPeople();
  const app = express();
  app.use(express.urlencoded({ extended: true }));
  if (flaws.cors) app.use('/api', cors(flaws.cors));
  app.use(
    session({
      secret: randomBytes(32).toString('hex'),
      resave: false,
      saveUninitialized: true,
      proxy: true,
      cookie: { secure: true, httpOnly: true, sameSite: 'lax', ...flaws.cookie },
    }),
  );
  const userOf = ({ session: { userId } }: Request) => people.find(({ id }) => id === userId);
  const show = (request: Request, name: keyof typeof pages, values: object = {}): string => {
    request.session.token ??= randomBytes(24).toString('base64');
    return pages[name]({ user: userOf(request), token: request.session.token, ...values });
  };
  const isOwnForm = (request: Request) =>
    flaws.takesAnyForm || request.body.authenticity_token === request.session.token;
  return { app, flaws, people, userOf, show, isOwnForm };
}

function addEntrance({ app, flaws, people, show, isOwnForm }: Shop): void {
  app.get('/', (request, response) => response.send(show(request, 'home')));
  app.get('/session/new', (request, response) => response.send(show(request, 'login')));
  app.post('/session', (request, response) => {
    if (!isOwnForm(request)) return void response.status(422).send('The change you wanted was rejected.');
    if (request.body._method === 'delete') {
      if (flaws.keepsSession) return void response.clearCookie('connect.sid').redirect(303, '/');
      return void request.session.destroy(() => response.clearCookie('connect.sid').redirect(303, '/'));
    }
    const { username, password } = request.body.session ?? {};
    const person = people.find((each) => each.username === username && each.password === password);
    if (!person) return void response.status(401).send(show(request, 'login'));
    const enter = () => {
      request.session.userId = person.id;
      response.redirect(303, '/account');
    };
    if (flaws.keepsIdentifier) enter();
    else request.session.regenerate(enter);
  });
}

/** Everything that stands behind the log in. */
function addMembersPages({ app, flaws, people, userOf, show, isOwnForm }: Shop): void {
  app.use((request, response, next) => {
    if (userOf(request)) next();
    else if (request.path.startsWith('/api/')) response.status(401).json({ error: 'sign in' });
    else response.redirect('/session/new');
  });
  app.get('/account', (request, response) => response.send(show(request, 'account')));
  app.post('/account', (request, response) => {
    const user = userOf(request);
    if (!user || !isOwnForm(request)) return void response.status(422).send('The change you wanted was rejected.');
    user.street = String(request.body.street ?? user.street);
    response.redirect(303, '/account');
  });
  app.get('/api/account', (request, response) => {
    const { name, mail, street } = userOf(request) ?? {};
    response.json({ name, mail, street });
  });
  app.get('/orders', (request, response) =>
    response.send(
      show(request, 'orders', { orders: people.filter((each) => each === userOf(request)).flatMap(ordersOf) }),
    ),
  );
  app.get('/orders/:number', (request, response) => {
    const number = Number(request.params.number);
    const owner = people.find((each) => ordersOf(each).includes(number));
    const isShown = owner && (flaws.showsAnyOrder || owner === userOf(request));
    if (isShown) response.send(show(request, 'order', { number, owner }));
    else response.status(404).send('<h1>The page you were looking for does not exist.</h1>');
  });
  app.get('/backoffice/customers', (request, response) => {
    if (flaws.opensOffice || userOf(request)?.role === 'admin') response.send(show(request, 'customers', { people }));
    else response.status(403).send('<h1>Not for you</h1>');
  });
}
