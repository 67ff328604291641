import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Request, type Response } from 'express';
import { gainedName } from '../../../workflows/model/gained-name.ts';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

export type VoucherDesign = {
  /**
   * How the shop sees to it that a voucher is redeemed once by an account: by a look and a write that follows it, in one statement, or not at
   * all; it counts how often one was tried, whatever it was, or it compares what was used as it was written.
   */
  once: 'looked' | 'in-one' | 'never' | 'counted' | 'as-written';
  /** An interface with bearer tokens behind pages that script fills, instead of pages with a cookie. */
  isApi?: boolean;
  /** The form has a token of the session. */
  hasToken?: boolean;
  /** There are no accounts: each visitor is given a session. */
  hasVisitors?: boolean;
};

const code = 'HELLO25';
const credentials = (button: string) =>
  `<form method="post"><input name="username"><input type="password" name="password"><button>${button}</button></form>`;

/** A shop over SQLite in which everybody opens an account, and a voucher that its first page shows gives credit. */
export async function startVoucherShop({
  once,
  isApi = false,
  hasToken = false,
  hasVisitors = false,
}: VoucherDesign): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE users (name TEXT PRIMARY KEY, password TEXT, session TEXT, credit REAL, tries INTEGER)');
  database.exec('CREATE TABLE used (name TEXT, code TEXT, UNIQUE (name, code))');
  const run = (sql: string, ...values: (string | number)[]) => database.prepare(sql).run(...values);
  const register = (name: string, password: string) => {
    if (name.length < 3 || password.length < 8) return false;
    return run('INSERT OR IGNORE INTO users VALUES (?, ?, NULL, 0, 0)', name, password).changes === 1;
  };
  const open = (name: string, password: string) => {
    const session = randomBytes(16).toString('hex');
    const found = run('UPDATE users SET session = ? WHERE name = ? AND password = ?', session, name, password);
    return found.changes === 1 ? session : undefined;
  };
  register('ida', 'ida-Pass-77');
  const app = express().use(express.json(), express.urlencoded({ extended: false }));
  const readerOf = (request: Request) => {
    const carried = isApi ? request.get('authorization')?.replace('Bearer ', '') : request.get('cookie');
    const session = /(?:sid=)?(\w{32})/.exec(carried ?? '')?.[1] ?? '';
    return database.prepare('SELECT * FROM users WHERE session = ?').get(session);
  };
  /** Somebody who has just come. */
  const greet = (response: Response) => {
    const session = randomBytes(16).toString('hex');
    run("INSERT INTO users VALUES (?, '', ?, 0, 0)", `visitor ${session}`, session);
    response.append('set-cookie', `sid=${session}; Path=/; HttpOnly`);
    return { name: `visitor ${session}` };
  };
  const redeem = async (name: string, sent: string): Promise<string> => {
    if (once === 'counted') run('UPDATE users SET tries = tries + 1 WHERE name = ?', name);
    if ((once === 'as-written' ? sent.toUpperCase() : sent) !== code) return 'This is no voucher.';
    if (once === 'looked') {
      const isUsed = database.prepare('SELECT 1 FROM used WHERE name = ? AND code = ?').get(name, sent);
      await sleep(120);
      if (isUsed) return 'You have redeemed it.';
      run('INSERT OR IGNORE INTO used VALUES (?, ?)', name, sent);
    } else if (once !== 'never' && run('INSERT OR IGNORE INTO used VALUES (?, ?)', name, sent).changes === 0)
      return 'You have redeemed it.';
    run('UPDATE users SET credit = credit + 25 WHERE name = ?', name);
    return 'Thank you.';
  };
  const text = (value: unknown) => String(value ?? '');
  const guarded = (handle: (name: string, request: Request, response: Response) => unknown) => {
    return (request: Request, response: Response) => {
      const reader = readerOf(request) ?? (hasVisitors ? greet(response) : undefined);
      if (reader) return void handle(text(reader.name), request, response);
      if (isApi) return void response.status(401).json({ error: 'log in' });
      response.redirect('/login');
    };
  };
  const stateOf = (name: string) => database.prepare('SELECT credit, tries FROM users WHERE name = ?').get(name);
  const greeting = `<p>New here? The voucher <b>${code}</b> gives every new customer a credit of 25.</p>`;
  app.get('/', (_request, response) => {
    response.send(
      isApi
        ? `${greeting}<a href="/openapi.json">Interface</a>`
        : `${greeting}${hasVisitors ? '<a href="/wallet">Wallet</a>' : '<a href="/register">Register</a> <a href="/login">Log in</a>'}`,
    );
  });
  if (isApi) {
    app.get('/openapi.json', (_request, response) => response.json(described));
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
      guarded((name, _request, response) => response.json({ name, ...stateOf(name) })),
    );
    app.post(
      '/api/vouchers/redeem',
      guarded(async (name, request, response) =>
        response.json({ message: await redeem(name, text(request.body?.code)) }),
      ),
    );
  } else {
    app.get('/register', (_request, response) => response.send(credentials('Create account')));
    app.get('/login', (_request, response) => response.send(credentials('Log in')));
    app.post('/register', (request, response) => {
      const done = register(text(request.body?.username), text(request.body?.password));
      if (done) response.redirect('/login');
      else response.status(400).send('Not this one.');
    });
    app.post('/login', (request, response) => {
      const session = open(text(request.body?.username), text(request.body?.password));
      if (session) response.append('set-cookie', `sid=${session}; Path=/; HttpOnly`).redirect('/wallet');
      else response.status(401).send(`<p>Wrong name or password.</p>${credentials('Log in')}`);
    });
    app.get(
      '/wallet',
      guarded((name, request, response) => {
        const { credit = 0, tries = 0 } = stateOf(name) ?? {};
        const title = hasVisitors ? 'Your wallet' : `Wallet of ${name}`;
        const token = hasToken ? `<input type="hidden" name="csrf" value="${text(readerOf(request)?.session)}">` : '';
        response.send(
          `<h1>${title}</h1><p>Credit: <b>${Number(credit).toFixed(2)}</b></p><p>Vouchers sent: <i>${tries}</i></p>` +
            `<form method="post" action="/wallet/redeem">${token}<input name="voucher"><button>Redeem</button></form>`,
        );
      }),
    );
    app.post(
      '/wallet/redeem',
      guarded(async (name, request, response) => {
        if (hasToken && request.body?.csrf !== readerOf(request)?.session) return response.status(403).send('no');
        await redeem(name, text(request.body?.voucher));
        return response.redirect('/wallet');
      }),
    );
  }
  const accounts = ['one', 'two'].map((who) => ({ name: `${who}-of-ours`, password: `${who}-Pass-77x` }));
  for (const { name, password } of accounts) register(name, password);
  const identities = accounts.map(({ name, password }, index) => ({
    name: gainedName('registered', index),
    checkPath: isApi ? '/api/me' : '/wallet',
    marker: name,
    login: {
      ...{ path: isApi ? '/api/login' : '/login', username: name, password },
      ...(isApi ? { json: { tokenPath: 'token' } } : {}),
    },
  }));
  if (hasVisitors)
    return startApp(app, { options: { depth: 'deep', writes: 'create' }, close: () => database.close() });
  const startPaths = isApi ? [] : ['/wallet'];
  const options = { depth: 'deep', writes: 'create', identities, startPaths } as const;
  return startApp(app, { options, close: () => database.close() });
}

const takes = (...names: string[]) => ({
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(names.map((name) => [name, { type: 'string', example: `${name}-9` }])),
        },
      },
    },
  },
  responses: { 200: { description: 'ok' } },
});

const described = {
  openapi: '3.0.1',
  info: { title: 'Vouchers', version: '1' },
  paths: {
    '/api/register': { post: takes('username', 'password') },
    '/api/login': { post: takes('username', 'password') },
    '/api/me': { get: { responses: { 200: { description: 'ok' } } } },
    '/api/vouchers/redeem': { post: takes('code') },
  },
};
