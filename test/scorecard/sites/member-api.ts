import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express, { type Request } from 'express';
import jwt from 'jsonwebtoken';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';
import { identitiesOf, newPeople } from './people.ts';

/** What the developer of the interface got wrong, and how it is built. */
export type MemberApiDesign = {
  /** Sessions: a signed token in a header, or a row of a table named by a cookie. */
  session?: 'token' | 'cookie';
  /** Members of a user that lists give out. */
  lists?: readonly string[];
  /** Where the list is, and whether it takes a login. */
  listPath?: string;
  listIsOpen?: boolean;
  /** Members of a registration that are written to the account. */
  registers?: readonly string[];
  /** What the role is called and how it is stored. */
  role?: { name: string; low: string | number; high: string | number };
  /** Whoever is logged in may change any address. */
  changesAny?: boolean;
};

type Row = Record<string, string | number | null>;

/** An interface for members with a description, over SQLite: accounts, addresses, and lists of them. */
export async function startMemberApi(design: MemberApiDesign = {}): Promise<ScoreSite> {
  const { session = 'token', listPath = '/api/v1/accounts', listIsOpen = false } = design;
  const role = design.role ?? { name: 'role', low: 'member', high: 'admin' };
  const database = openDatabase(role);
  const secret = randomBytes(48).toString('base64url');
  const app = express().use(express.json());
  const rowBy = (column: string, value: unknown) =>
    database.prepare(`SELECT * FROM users WHERE ${column} = ?`).get(String(value)) as Row | undefined;
  const readerOf = (request: Request): Row | undefined => {
    if (session === 'cookie') {
      const sid = /(?:^|; )sid=(\w+)/.exec(request.get('cookie') ?? '')?.[1] ?? '';
      return sid === '' ? undefined : rowBy('session', sid);
    }
    try {
      const claims = jwt.verify(/^Bearer (.+)$/.exec(request.get('authorization') ?? '')?.[1] ?? '', secret);
      return rowBy('username', claims.sub);
    } catch {
      return undefined;
    }
  };
  const only = (row: Row, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, row[name] ?? null]));

  app.get('/', (_request, response) => response.send('<h1>Members</h1><a href="/openapi.json">Interface</a>'));
  app.get('/openapi.json', (_request, response) => response.json(describe(listPath)));
  app.post('/api/v1/sessions', (request, response) => {
    const { username, password } = request.body ?? {};
    const user = rowBy('username', username);
    if (!user || user.password !== hash(String(password)))
      return void response.status(401).json({ error: 'bad credentials' });
    if (session === 'token') return void response.json({ token: jwt.sign({ sub: user.username }, secret) });
    const sid = randomBytes(16).toString('hex');
    database.prepare('UPDATE users SET session = ? WHERE id = ?').run(sid, user.id ?? 0);
    response.append('set-cookie', `sid=${sid}; Path=/; HttpOnly; SameSite=Lax`).json({ ok: true });
  });
  app.post('/api/v1/register', (request, response) => {
    const sent = (request.body ?? {}) as Row;
    const allowed = design.registers ?? ['username', 'email'];
    const values = {
      [role.name]: role.low,
      ...only(
        sent,
        allowed.filter((name) => name in sent),
      ),
      password: hash(String(sent.password)),
    };
    const columns = Object.keys(values);
    const stored = Object.values(values).map((value) => (typeof value === 'boolean' ? Number(value) : value));
    database
      .prepare(`INSERT INTO users (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      .run(...stored);
    response.status(201).json({ status: 'registered' });
  });
  app.use('/api', (request, response, next) =>
    readerOf(request) || (listIsOpen && request.originalUrl === listPath)
      ? next()
      : response.status(401).json({ error: 'log in' }),
  );
  app.get('/api/v1/me', (request, response) =>
    response.json(only(readerOf(request) ?? {}, ['id', 'username', 'email', role.name])),
  );
  app.get(listPath, (_request, response) =>
    response.json({
      items: (database.prepare('SELECT * FROM users').all() as Row[]).map((row) =>
        only(row, design.lists ?? ['username']),
      ),
    }),
  );
  const mayUse = (request: Request) => readerOf(request)?.username === request.params.name;
  app.get('/api/v1/members/:name/address', (request, response) =>
    mayUse(request)
      ? response.json(only(rowBy('username', request.params.name) ?? {}, ['street']))
      : response.status(403).json({}),
  );
  app.patch('/api/v1/members/:name/address', (request, response) => {
    if (!mayUse(request) && !design.changesAny) return void response.status(403).json({});
    database
      .prepare('UPDATE users SET street = ? WHERE username = ?')
      .run(String(request.body?.street ?? ''), String(request.params.name));
    response.json({ ok: true });
  });
  const tokenPath = session === 'token' ? 'token' : '';
  const login = { path: '/api/v1/sessions', json: { tokenPath }, checkPath: '/api/v1/me' };
  const identities = identitiesOf(login).map((each) => ({ ...each, marker: each.name }));
  return startApp(app, { options: { identities }, close: () => database.close() });
}

const hash = (password: string): string => `$scrypt$${scryptSync(password, 'salt-of-the-site', 32).toString('base64')}`;

function openDatabase(role: { name: string; low: string | number }): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE TABLE users (id INTEGER PRIMARY KEY, username TEXT UNIQUE, email TEXT, password TEXT, street TEXT, api_key TEXT, session TEXT, ${role.name})`,
  );
  const insert = database.prepare(
    `INSERT INTO users (id, username, email, password, street, api_key, ${role.name}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { id, username, mail, password, street } of newPeople())
    insert.run(
      id,
      username,
      mail,
      hash(password),
      street,
      createHash('sha256').update(mail).digest('base64url'),
      role.low,
    );
  return database;
}

const text = (example: string) => ({ type: 'string', example });
const answers = { responses: { 200: { description: 'ok' } } };
const body = (properties: Record<string, unknown>) => ({
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
  ...answers,
});

const describe = (listPath: string) => ({
  openapi: '3.0.3',
  info: { title: 'Members', version: '1' },
  paths: {
    '/api/v1/me': { get: answers },
    [listPath]: { get: answers },
    '/api/v1/sessions': { post: body({ username: text('example'), password: text('example-Pass-1') }) },
    '/api/v1/register': {
      post: body({ username: text('example'), email: text('example@mail.example'), password: text('example-Pass-1') }),
    },
    '/api/v1/members/{name}/address': {
      get: { parameters: [{ name: 'name', in: 'path', required: true, schema: text('example') }], ...answers },
    },
  },
});
