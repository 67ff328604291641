import { randomBytes } from 'node:crypto';
import express, { type Request } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

type Account = { name: string; password: string };

export type NameDesign = {
  /** What a new name is brought into before it is compared with those that there are, and stored. */
  stored?: (name: string) => string;
  /** What names are compared by at a login. */
  compared: (name: string) => string;
  /** Whose session it is then: the account with this name. */
  session: (account: Account, typed: string) => string;
  isApi?: boolean;
  /** Each form has a token, which belongs to a cookie of its page. */
  hasToken?: boolean;
};

const form =
  '<form method="post"><input name="username"><input type="password" name="password"><button>Log in</button></form>';
const takes = {
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { username: { type: 'string', example: 'x9' }, password: { type: 'string', example: 'y9' } },
        },
      },
    },
  },
  responses: { 200: { description: 'ok' } },
};
const described = {
  openapi: '3.0.1',
  info: { title: 'Berths', version: '1' },
  paths: {
    '/api/register': { post: takes },
    '/api/login': { post: takes },
    '/api/me': { get: { responses: { 200: { description: 'ok' } } } },
  },
};

/** A site where people register by a name, and see it when they have logged in. */
export function startNameSite({
  stored = (name) => name,
  compared,
  session,
  isApi,
  hasToken,
}: NameDesign): Promise<ScoreSite> {
  const accounts: Account[] = [{ name: 'ida', password: 'ida-Pass-77' }];
  const sessions = new Map<string, string>();
  const app = express().use(express.json(), express.urlencoded({ extended: false }));
  const sent = ({ body }: Request) => ({ name: String(body?.username ?? ''), password: String(body?.password ?? '') });
  const register = (request: Request): boolean => {
    const { name, password } = sent(request);
    if (name.trim() === '' || password.length < 4 || accounts.some((each) => each.name === stored(name))) return false;
    accounts.push({ name: stored(name), password });
    return true;
  };
  const open = (request: Request): string | undefined => {
    const { name, password } = sent(request);
    const found = accounts.find((each) => compared(each.name) === compared(name) && each.password === password);
    if (!found) return undefined;
    const id = randomBytes(12).toString('hex');
    sessions.set(id, session(found, name));
    return id;
  };
  const readerOf = (request: Request) =>
    sessions.get(/\w{24}/.exec(request.get(isApi ? 'authorization' : 'cookie') ?? '')?.[0] ?? '');
  const escaped = (text: string) => text.replace(/[<>&"]/g, '');
  const prefix = isApi ? '/api' : '';
  app.get('/', (_request, response) =>
    response.send(
      `<h1>Berths</h1>${isApi ? '<a href="/openapi.json">API</a>' : '<a href="/register">Register</a> <a href="/login">Log in</a>'}`,
    ),
  );
  if (isApi) app.get('/openapi.json', (_request, response) => response.json(described));
  else {
    for (const [path, button] of [
      ['/register', 'Register'],
      ['/login', 'Log in'],
    ] as const)
      app.get(path, (_request, response) => {
        const token = randomBytes(10).toString('hex');
        if (hasToken) response.append('set-cookie', `formtoken=${token}; Path=/`);
        const field = hasToken ? `<input type="hidden" name="form_token" value="${token}">` : '';
        response.send(form.replace('<input', `${field}<input`).replace('Log in', button));
      });
    app.post(['/register', '/login'], (request, response, next) => {
      const cookie = /\bformtoken=(\w+)/.exec(request.get('cookie') ?? '')?.[1];
      if (hasToken && (cookie === undefined || request.body?.form_token !== cookie))
        response.status(403).send('<p>This page is too old.</p>');
      else next();
    });
  }
  app.post(`${prefix}/register`, (request, response) => {
    const isOpened = register(request);
    if (isApi) response.status(isOpened ? 201 : 409).json({ isOpened });
    else response.send(isOpened ? '<p>Welcome.</p><a href="/login">Log in</a>' : '<p>This name is taken.</p>');
  });
  app.post(`${prefix}/login`, (request, response) => {
    const id = open(request);
    if (isApi) response.status(id ? 200 : 401).json(id ? { token: id } : { error: 'wrong' });
    else if (id) response.append('set-cookie', `sid=${id}; Path=/; HttpOnly`).redirect('/me');
    else response.status(401).send(`<p>Wrong.</p>${form}`);
  });
  app.get(`${prefix}/me`, (request, response) => {
    const name = readerOf(request);
    if (isApi) response.status(name ? 200 : 401).json(name ? { name } : { error: 'log in' });
    else if (name === undefined) response.redirect('/login');
    else response.send(`<h1>Berth of ${escaped(name)}</h1><p>Free until May</p>`);
  });
  accounts.push({ name: 'one-of-ours', password: 'one-Pass-77x' });
  const identity = {
    ...{ name: 'registered_1', checkPath: `${prefix}/me`, marker: 'one-of-ours' },
    login: {
      ...{ path: `${prefix}/login`, username: 'one-of-ours', password: 'one-Pass-77x' },
      ...(isApi ? { json: { tokenPath: 'token' } } : {}),
    },
  };
  return startApp(app, { options: { depth: 'deep', writes: 'create', identities: [identity] } });
}
