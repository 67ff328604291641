import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express, { type Request, type Response } from 'express';
import { gainedName } from '../../../workflows/model/gained-name.ts';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

export type PointsDesign = {
  /** What the club asks of an amount: nothing but that the sender has as much, that it is above zero, or that it is one in a form. */
  asks: 'at-most' | 'above-zero';
  /** What is done with an amount: given to a member, paid out, or added for nothing. */
  does?: 'gives' | 'pays-out' | 'adds';
  /** An interface with bearer tokens behind pages that script fills, instead of pages with a cookie. */
  isApi?: boolean;
  /** The form has a token of the session. */
  hasToken?: boolean;
};

const credentials = (button: string) =>
  `<form method="post"><input name="username"><input type="password" name="password"><button>${button}</button></form>`;
const paths = { gives: 'transfer', 'pays-out': 'withdraw', adds: 'collect' } as const;

/** A club over SQLite in which everybody opens an account with a hundred points, which members give to each other. */
export async function startPointsClub({
  asks,
  does = 'gives',
  isApi = false,
  hasToken = false,
}: PointsDesign): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE members (name TEXT PRIMARY KEY, password TEXT, session TEXT, points INTEGER)');
  const run = (sql: string, ...values: (string | number)[]) => database.prepare(sql).run(...values).changes === 1;
  const text = (value: unknown) => String(value ?? '');
  const register = (name: string, password: string) =>
    name.length >= 3 &&
    password.length >= 8 &&
    run('INSERT OR IGNORE INTO members VALUES (?, ?, NULL, 100)', name, password);
  const open = (name: string, password: string) => {
    const session = randomBytes(16).toString('hex');
    return run('UPDATE members SET session = ? WHERE name = ? AND password = ?', session, name, password)
      ? session
      : undefined;
  };
  const memberOf = (request: Request) => {
    const carried = isApi ? request.get('authorization')?.replace('Bearer ', '') : request.get('cookie');
    const session = /(?:sid=)?(\w{32})/.exec(carried ?? '')?.[1] ?? '';
    return database.prepare('SELECT * FROM members WHERE session = ?').get(session);
  };
  const guarded = (handle: (name: string, request: Request, response: Response) => unknown) => {
    return (request: Request, response: Response) => {
      const member = memberOf(request);
      if (member) return void handle(text(member.name), request, response);
      if (isApi) return void response.status(401).json({ error: 'log in' });
      response.redirect('/login');
    };
  };
  const pointsOf = (name: string) =>
    Number(database.prepare('SELECT points FROM members WHERE name = ?').get(name)?.points);
  const send = (name: string, to: string, sent: unknown): string => {
    const points = Number(sent);
    if (!Number.isInteger(points) || (asks === 'above-zero' && points < 1)) return 'No such amount.';
    if (does === 'adds')
      return run('UPDATE members SET points = points + ? WHERE name = ?', points, name) ? 'Done.' : '';
    if (points > pointsOf(name)) return 'You have not that many.';
    if (does === 'gives') {
      if (to === name || !run('UPDATE members SET points = points + ? WHERE name = ?', points, to)) return 'Nobody.';
    }
    run('UPDATE members SET points = points - ? WHERE name = ?', points, name);
    return 'Done.';
  };
  const app = express().use(express.json(), express.urlencoded({ extended: false }));
  const action = isApi ? `/api/${paths[does]}` : `/${paths[does]}`;
  app.get('/', (_request, response) => {
    response.send(
      `<h1>Club</h1>${isApi ? '<a href="/openapi.json">Interface</a>' : '<a href="/register">Join</a> <a href="/login">Log in</a>'}`,
    );
  });
  app.get('/openapi.json', (_request, response) => response.json(description(action)));
  if (isApi) {
    app.post('/api/register', (request, response) => {
      const done = register(text(request.body?.username), text(request.body?.password));
      response.status(done ? 201 : 400).json({ done });
    });
    app.post('/api/login', (request, response) => {
      const token = open(text(request.body?.username), text(request.body?.password));
      if (token) response.json({ token });
      else response.status(401).json({ error: 'wrong' });
    });
    app.get(
      '/api/me',
      guarded((name, _request, response) => response.json({ name, points: pointsOf(name) })),
    );
  } else {
    app.get('/register', (_request, response) => response.send(credentials('Create account')));
    app.get('/login', (_request, response) => response.send(credentials('Log in')));
    app.post('/register', (request, response) => {
      if (register(text(request.body?.username), text(request.body?.password))) response.redirect('/login');
      else response.status(400).send('Not this one.');
    });
    app.post('/login', (request, response) => {
      const session = open(text(request.body?.username), text(request.body?.password));
      if (session) response.append('set-cookie', `sid=${session}; Path=/; HttpOnly`).redirect('/points');
      else response.status(401).send(`<p>Wrong name or password.</p>${credentials('Log in')}`);
    });
    app.get(
      '/points',
      guarded((name, request, response) => {
        const token = hasToken ? `<input type="hidden" name="csrf" value="${text(memberOf(request)?.session)}">` : '';
        const to = does === 'gives' ? '<label>To <input name="to"></label>' : '';
        response.send(
          `<h1>Points of ${name}</h1><p>You have <b>${pointsOf(name)}</b> points.</p>` +
            `<form method="post" action="${action}">${token}${to}<input type="number" name="points" min="1" value="1"><button>Go</button></form>`,
        );
      }),
    );
  }
  app.post(
    action,
    guarded((name, request, response) => {
      if (hasToken && request.body?.csrf !== memberOf(request)?.session) return response.status(403).send('no');
      const message = send(name, text(request.body?.to), request.body?.points);
      return isApi ? response.json({ message }) : response.redirect('/points');
    }),
  );
  const accounts = ['one', 'two'].map((who) => ({ name: `${who}-of-ours`, password: `${who}-Pass-77x` }));
  for (const { name, password } of accounts) register(name, password);
  const identities = accounts.map(({ name, password }, index) => ({
    name: gainedName('registered', index),
    checkPath: isApi ? '/api/me' : '/points',
    marker: name,
    login: {
      ...{ path: isApi ? '/api/login' : '/login', username: name, password },
      ...(isApi ? { json: { tokenPath: 'token' } } : {}),
    },
  }));
  const options = { depth: 'deep', writes: 'create', identities, startPaths: isApi ? [] : ['/points'] } as const;
  return startApp(app, { options, close: () => database.close() });
}

const takes = (properties: Record<string, object>) => ({
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
  responses: { 200: { description: 'ok' } },
});
const word = (example: string) => ({ type: 'string', example });

const description = (action: string) => ({
  openapi: '3.0.1',
  info: { title: 'Points', version: '1' },
  paths: {
    '/api/register': { post: takes({ username: word('ida'), password: word('secret-9') }) },
    '/api/login': { post: takes({ username: word('ida'), password: word('secret-9') }) },
    '/api/me': { get: { responses: { 200: { description: 'ok' } } } },
    [action]: { post: takes({ to: word('ida'), points: { type: 'integer', example: 1 } }) },
  },
});
