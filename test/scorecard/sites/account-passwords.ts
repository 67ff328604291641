import { randomBytes } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

type Account = { id: number; name: string; password: string };

export type PasswordsDesign = {
  /** How the request says whose password it sets: in its path, a member of its JSON, or a hidden field of a form. */
  named: 'path' | 'number in path' | 'member' | 'field';
  /** What the server does where another account is named: it sets the password, refuses, or sets that of whoever asks. */
  sets: 'any' | 'refuses' | 'own';
  /** The form has a token. */
  hasToken?: boolean;
  /** Whoever logs in comes to a page that does not say who that is; the page of the form does. */
  hasOverview?: boolean;
};

const json = (...names: string[]) => ({
  requestBody: {
    content: {
      'application/json': {
        schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
      },
    },
  },
  responses: { 200: { description: 'ok' } },
});
const inPath = (name: string, type: string) => ({
  parameters: [{ name, in: 'path', required: true, schema: { type }, example: type === 'integer' ? 4 : 'otto8' }],
});

/** A site with accounts, whose password is set by a request of its own. */
export function startPasswordsSite({ named, sets, hasToken, hasOverview }: PasswordsDesign): Promise<ScoreSite> {
  const accounts: Account[] = [];
  const add = (name: string, password: string) => accounts.push({ id: accounts.length + 4, name, password });
  add('ida7', 'ida-Pass-77');
  add('otto8', 'otto-Pass-88');
  const sessions = new Map<string, Account>();
  const tokens = new Map<string, Account>();
  const isApi = named !== 'field';
  const home = isApi ? '/api/me' : hasOverview ? '/overview' : '/account';
  const app = express().use(express.json(), express.urlencoded({ extended: false }));
  const readerOf = (request: Request) =>
    sessions.get(/\w{24}/.exec(request.get(isApi ? 'authorization' : 'cookie') ?? '')?.[0] ?? '');
  const open = ({ body }: Request): string | undefined => {
    const found = accounts.find(({ name, password }) => name === body?.username && password === body?.password);
    if (!found) return undefined;
    const id = randomBytes(12).toString('hex');
    sessions.set(id, found);
    return id;
  };
  const register = ({ body }: Request): boolean => {
    const { username = '', password = '' } = body ?? {};
    if (username === '' || password.length < 4 || accounts.some(({ name }) => name === username)) return false;
    add(username, password);
    return true;
  };
  /** @returns the status */
  const set = (request: Request, which: (account: Account) => boolean): number => {
    const reader = readerOf(request);
    const account = accounts.find(which);
    const { password = '' } = request.body ?? {};
    if (!reader) return 401;
    if (!account || password === '') return 400;
    if (sets === 'refuses' && account !== reader) return 403;
    (sets === 'own' ? reader : account).password = password;
    return 200;
  };
  const answer = (response: Response, status: number, data: object) => response.status(status).json(data);

  if (isApi) {
    const path = {
      path: '/api/users/{username}/password',
      'number in path': '/api/users/{id}',
      member: '/api/password',
    }[named];
    const described = {
      openapi: '3.0.1',
      info: { title: 'Moorings', version: '1' },
      paths: {
        '/api/register': { post: json('username', 'password') },
        '/api/login': { post: json('username', 'password') },
        '/api/me': { get: { responses: { 200: { description: 'ok' } } } },
        [path]: {
          path: { put: { ...inPath('username', 'string'), ...json('password') } },
          'number in path': { patch: { ...inPath('id', 'integer'), ...json('password') } },
          member: { post: json('username', 'password', 'password_confirm') },
        }[named],
      },
    };
    app.get('/', (_request, response) => response.send('<h1>Moorings</h1><a href="/openapi.json">API</a>'));
    app.get('/openapi.json', (_request, response) => response.json(described));
    app.post('/api/register', (request, response) => answer(response, register(request) ? 201 : 409, {}));
    app.post('/api/login', (request, response) => {
      const token = open(request);
      answer(response, token ? 200 : 401, token ? { token } : { error: 'wrong' });
    });
    app.get('/api/me', (request, response) => {
      const reader = readerOf(request);
      const data = { place: { id: 3 }, account: { id: reader?.id, username: reader?.name } };
      answer(response, reader ? 200 : 401, reader ? data : { error: 'log in' });
    });
    const put =
      (which: (request: Request) => (account: Account) => boolean) => (request: Request, response: Response) =>
        answer(response, set(request, which(request)), {});
    app.put(
      '/api/users/:name/password',
      put(
        ({ params }) =>
          ({ name }) =>
            name === params.name,
      ),
    );
    app.patch(
      '/api/users/:id',
      put(
        ({ params }) =>
          ({ id }) =>
            id === Number(params.id),
      ),
    );
    app.post(
      '/api/password',
      put(
        ({ body }) =>
          ({ name }) =>
            name === body?.username,
      ),
    );
  } else {
    const form = (button: string) =>
      `<form method="post"><input name="username"><input type="password" name="password"><button>${button}</button></form>`;
    app.get('/', (_request, response) =>
      response.send('<h1>Moorings</h1><a href="/register">Register</a> <a href="/login">Log in</a>'),
    );
    app.get('/register', (_request, response) => response.send(form('Register')));
    app.get('/login', (_request, response) => response.send(form('Log in')));
    app.post('/register', (request, response) =>
      response.send(register(request) ? '<p>Welcome.</p><a href="/login">Log in</a>' : '<p>This name is taken.</p>'),
    );
    app.post('/login', (request, response) => {
      const id = open(request);
      if (id) response.append('set-cookie', `sid=${id}; Path=/; HttpOnly`).redirect(home);
      else response.status(401).send(`<p>Wrong.</p>${form('Log in')}`);
    });
    app.get('/overview', (request, response) =>
      readerOf(request)
        ? response.send('<p>You are signed in.</p><a href="/account">Your mooring</a>')
        : response.redirect('/login'),
    );
    app.get('/account', (request, response) => {
      const reader = readerOf(request);
      if (!reader) return response.redirect('/login');
      const token = randomBytes(10).toString('hex');
      tokens.set(token, reader);
      const field = hasToken ? `<input type="hidden" name="form_token" value="${token}">` : '';
      return response.send(
        `<h1>Mooring of ${reader.name.replace(/\W/g, '')}</h1><form method="post" action="/account">${field}<input type="hidden" name="id" value="${reader.id}"><input type="password" name="password"><input type="password" name="cpassword"><button>Save</button></form>`,
      );
    });
    app.post('/account', (request, response) => {
      const { id, password, cpassword, form_token: token = '' } = request.body ?? {};
      const isOld = hasToken && tokens.get(token) !== readerOf(request);
      const status = isOld || password !== cpassword ? 400 : set(request, (account) => account.id === Number(id));
      response.status(status).send(status === 200 ? '<p>Saved.</p>' : '<p>Not saved.</p>');
    });
  }
  const identity = {
    ...{ name: 'ida', checkPath: home, marker: hasOverview ? 'You are signed in' : 'ida7' },
    login: {
      ...{ path: isApi ? '/api/login' : '/login', username: 'ida7', password: 'ida-Pass-77' },
      ...(isApi ? { json: { tokenPath: 'token' } } : {}),
    },
  };
  return startApp(app, {
    options: { depth: 'deep', writes: 'create', startsAtCheckPages: true, identities: [identity] },
  });
}
