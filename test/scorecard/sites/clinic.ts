import { randomBytes } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import nunjucks from 'nunjucks';
import type { ScoreSite } from '../case.ts';
import { certificateForShop } from './certificate.ts';
import { openClinicDatabase, type User } from './clinic-database.ts';
import { startApp } from './express.ts';
import { identitiesOf } from './people.ts';

/** What the clinic's developer got wrong; nothing by default. */
type ClinicFlaws = {
  /** A login takes over whatever identifier the browser came with, as PHP does without session.use_strict_mode. */
  adoptsIdentifier?: boolean;
  /** Views are exempt from the look at tokens. */
  exemptsForms?: boolean;
  /** Sessions are not kept on the server: logging out only takes the cookie away. */
  forgetsLogout?: boolean;
  showsAnyRecord?: boolean;
  opensStaff?: boolean;
  /** The form of the profile sets whatever it is sent. */
  assignsAll?: boolean;
  /** Over HTTPS. */
  isSecure?: boolean;
  /** Attributes of the session's cookie. */
  attributes?: string;
  /** Headers of every answer, by the Origin that asks. */
  headersFor?: (origin: string | undefined) => Record<string, string>;
};

const environment = new nunjucks.Environment(null, { autoescape: true });
const page = (content: string) =>
  nunjucks.compile(
    `<!doctype html><html lang="en"><head><title>Clinic</title></head><body>{% if user %}<p id="user-tools">Welcome, <strong>{{ user.name }}</strong>.
    <a href="/accounts/profile/">Profile</a> / <a href="/records/">Records</a> {% if user.is_staff %}/ <a href="/staff/patients/">Patients</a>{% endif %}
    <form id="logout-form" method="post" action="/accounts/logout/"><input type="hidden" name="csrfmiddlewaretoken" value="{{ csrf }}"><button type="submit">Log out</button></form></p>{% endif %}${content}</body></html>`,
    environment,
  );
const token = '<input type="hidden" name="csrfmiddlewaretoken" value="{{ csrf }}">';
const pages = {
  home: page('<h1>Clinic</h1><a href="/accounts/login/">Log in</a>'),
  login: page(
    `<form method="post" action="/accounts/login/">${token}<input name="username" autofocus><input type="password" name="password"><input type="hidden" name="next" value="/accounts/profile/"><input type="submit" value="Log in"></form>`,
  ),
  profile: page(
    `<h1>Profile</h1><p>{{ user.email }}</p><a href="/api/account/">JSON</a><form method="post" action="/accounts/profile/">${token}<label>Bio <textarea name="bio">{{ user.bio }}</textarea></label><button>Update</button></form>`,
  ),
  records: page(
    '<ul>{% for each in records %}<li><a href="/records/{{ each.id }}/">{{ each.date }}</a></li>{% endfor %}</ul>',
  ),
  record: page('<h1>Record of {{ record.date }}</h1><p>{{ record.note }}</p><address>{{ record.contact }}</address>'),
  patients: page(
    '<h1>Patients</h1><table>{% for each in users %}<tr><td>{{ each.name }}</td><td>{{ each.email }}</td><td>{{ each.bio }}</td></tr>{% endfor %}</table>',
  ),
};

/** A site with trailing slashes, uuids in its paths, and a token in a cookie and in each form, as Django has them. */
export async function startClinic(flaws: ClinicFlaws = {}, withAdmin = false): Promise<ScoreSite> {
  const clinic = newClinic(flaws);
  addEntrance(clinic);
  addAccount(clinic);
  addRecords(clinic);
  const identities = identitiesOf(
    {
      path: '/accounts/login/',
      checkPath: '/accounts/profile/',
      markerOf: (name) => `Welcome, <strong>${name}</strong>`,
    },
    { withAdmin },
  );
  const tls = flaws.isSecure ? { tls: await certificateForShop() } : {};
  return startApp(clinic.app, { ...tls, options: { identities }, close: () => clinic.database.close() });
}

type Clinic = ReturnType<typeof newClinic>;

function newClinic(flaws: ClinicFlaws) {
  const database = openClinicDatabase();
  const one = (statement: string, ...values: (string | number)[]) => database.prepare(statement).get(...values);
  const app = express();
  app.use(express.urlencoded({ extended: false }), express.json());
  if (flaws.headersFor)
    app.use((request, response, next) => {
      response.set(flaws.headersFor?.(request.get('origin')) ?? {});
      next();
    });
  const cookieOf = (request: Request, name: string) =>
    new RegExp(`(?:^|; )${name}=([^;]+)`).exec(request.get('cookie') ?? '')?.[1] ?? '';
  const userOf = (request: Request) =>
    one(
      'SELECT users.* FROM sessions JOIN users ON users.id = sessions.user WHERE key = ?',
      cookieOf(request, 'sessionid'),
    ) as User | undefined;
  const send = (request: Request, response: Response, name: keyof typeof pages, values: object = {}) => {
    const csrf = cookieOf(request, 'csrftoken') || randomBytes(24).toString('hex');
    if (cookieOf(request, 'csrftoken') === '')
      response.append('set-cookie', `csrftoken=${csrf}; Path=/; SameSite=Lax; Max-Age=31449600`);
    response.send(pages[name].render({ user: userOf(request), csrf, ...values }));
  };
  const isOwnForm = (request: Request) =>
    flaws.exemptsForms ||
    (request.body.csrfmiddlewaretoken !== undefined &&
      request.body.csrfmiddlewaretoken === cookieOf(request, 'csrftoken'));
  return { app, flaws, database, one, cookieOf, userOf, send, isOwnForm };
}

function addEntrance({ app, flaws, database, one, cookieOf, send, isOwnForm }: Clinic): void {
  app.get('/', (request, response) => send(request, response, 'home'));
  app.get('/accounts/login/', (request, response) => {
    if (flaws.adoptsIdentifier && cookieOf(request, 'sessionid') === '')
      response.append(
        'set-cookie',
        `sessionid=${randomBytes(20).toString('hex')}; ${flaws.attributes ?? 'Path=/; HttpOnly; SameSite=Lax'}`,
      );
    send(request, response, 'login');
  });
  app.post('/accounts/login/', (request, response) => {
    const found = one(
      'SELECT id FROM users WHERE username = ? AND password = ?',
      String(request.body.username),
      String(request.body.password),
    );
    if (!isOwnForm(request))
      return void response.status(403).send('<h1>Forbidden</h1><p>CSRF verification failed.</p>');
    if (!found) return send(request, response, 'login');
    const given = cookieOf(request, 'sessionid');
    const key = flaws.adoptsIdentifier && given !== '' ? given : randomBytes(20).toString('hex');
    database.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)').run(key, Number(found.id), '');
    response
      .append('set-cookie', `sessionid=${key}; ${flaws.attributes ?? 'Path=/; HttpOnly; SameSite=Lax'}`)
      .redirect('/accounts/profile/');
  });
}

/** From here on a session is needed. */
function addAccount({ app, flaws, database, cookieOf, userOf, send, isOwnForm }: Clinic): void {
  app.use((request, response, next) =>
    userOf(request) ? next() : response.redirect(`/accounts/login/?next=${request.path}`),
  );
  app.post('/accounts/logout/', (request, response) => {
    if (!isOwnForm(request)) return void response.sendStatus(403);
    if (!flaws.forgetsLogout)
      database.prepare('DELETE FROM sessions WHERE key = ?').run(cookieOf(request, 'sessionid'));
    response.append('set-cookie', 'sessionid=""; Path=/; Max-Age=0').redirect('/');
  });
  app.get('/accounts/profile/', (request, response) => send(request, response, 'profile'));
  app.post('/accounts/profile/', (request, response) => {
    const [user, { csrfmiddlewaretoken: _token, ...sent }] = [userOf(request), request.body];
    if (!user || !isOwnForm(request)) return void response.sendStatus(403);
    const { bio = user.bio, is_staff = user.is_staff } = { ...(flaws.assignsAll ? sent : { bio: sent.bio }) };
    database.prepare('UPDATE users SET bio = ?, is_staff = ? WHERE id = ?').run(String(bio), Number(is_staff), user.id);
    response.redirect('/accounts/profile/');
  });
  app.get('/api/account/', (request, response) => {
    const { name, email, bio, is_staff } = userOf(request) ?? {};
    response.json({ name, email, bio, is_staff });
  });
}

function addRecords({ app, flaws, database, one, userOf, send }: Clinic): void {
  app.get('/records/', (request, response) =>
    send(request, response, 'records', {
      records: database.prepare('SELECT * FROM records WHERE owner = ?').all(userOf(request)?.id ?? 0),
    }),
  );
  app.get('/records/:id/', (request, response) => {
    const record = one('SELECT * FROM records WHERE id = ?', request.params.id);
    if (record && (flaws.showsAnyRecord || record.owner === userOf(request)?.id))
      send(request, response, 'record', { record });
    else response.status(404).send('<h1>Not Found</h1><p>The requested resource was not found on this server.</p>');
  });
  app.get('/staff/patients/', (request, response) => {
    if (flaws.opensStaff || userOf(request)?.is_staff)
      send(request, response, 'patients', { users: database.prepare('SELECT * FROM users').all() });
    else response.status(403).send('<h1>403 Forbidden</h1>');
  });
}
