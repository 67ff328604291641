import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import express, { type Request, type Response } from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

export type NotebookDesign = {
  /** How the name of an account gets into the statement for its notes; a name with a quote may break a page that asks no database. */
  name: 'concatenated' | 'bound' | 'broken-by-quotes';
  /** Notes are read by an interface in JSON that the page asks. */
  isApi?: boolean;
  /** The page of notes says nothing of a failure but its status, on a page of its own. */
  hasOverview?: boolean;
  /** Notes are kept by a form of their page, and none is shown where the database fails. */
  isSilent?: boolean;
  /** Accounts are registered with a city, and it is this by which notes are found. */
  byCity?: boolean;
  /** Makes the heading of the notes of the name, or of the city. */
  heading?: (text: string) => string;
};

const credentials = (button: string, further = '') =>
  `<form method="post"><input name="username"><input type="password" name="password">${further}<button>${button}</button></form>`;
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Notes of accounts that everybody opens. Accounts are stored and looked up by bound values; their notes are found by the stored name. */
export async function startNotebook({
  name: how,
  isApi = false,
  hasOverview = false,
  byCity = false,
  isSilent = false,
  heading = (text) => `<h1>Notes of ${escaped(text)}</h1>`,
}: NotebookDesign): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE users (name TEXT PRIMARY KEY, password TEXT, session TEXT, city TEXT)');
  database.exec('CREATE TABLE notes (owner TEXT, body TEXT)');
  const register = (name: string, password: string, city = '') =>
    name.length >= 3 &&
    password.length >= 8 &&
    database.prepare('INSERT OR IGNORE INTO users VALUES (?, ?, NULL, ?)').run(name, password, city).changes === 1;
  register('ida', 'ida-Pass-77');
  const cityOf = (name: string) => text(database.prepare('SELECT city FROM users WHERE name = ?').get(name)?.city);
  const notesOf = (account: string) => {
    const name = byCity ? cityOf(account) : account;
    if (how === 'broken-by-quotes' && name.includes("'")) throw new Error('unterminated string');
    if (how !== 'concatenated') return database.prepare('SELECT body FROM notes WHERE owner = ?').all(name);
    try {
      return database.prepare(`SELECT body FROM notes WHERE owner = '${name}'`).all();
    } catch (error) {
      if (isSilent) return [];
      throw error;
    }
  };
  const readerOf = (request: Request) => {
    const session = /sid=(\w{32})/.exec(request.get('cookie') ?? '')?.[1] ?? '';
    const user = database.prepare('SELECT name FROM users WHERE session = ?').get(session);
    return user && String(user.name);
  };
  const text = (value: unknown) => String(value ?? '');
  const app = express().use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) => response.send('<a href="/signup">Sign up</a> <a href="/login">Log in</a>'));
  app.get('/signup', (_request, response) =>
    response.send(credentials('Sign up', byCity ? '<input name="city">' : '')),
  );
  app.get('/login', (_request, response) => response.send(credentials('Log in')));
  app.post('/signup', (request, response) => {
    const { username, password, city } = request.body ?? {};
    if (register(text(username), text(password), text(city))) response.redirect('/login');
    else response.status(409).send('Not this one.');
  });
  app.post('/login', (request, response) => {
    const session = randomBytes(16).toString('hex');
    const { changes } = database
      .prepare('UPDATE users SET session = ? WHERE name = ? AND password = ?')
      .run(session, text(request.body?.username), text(request.body?.password));
    if (changes === 1)
      response.append('set-cookie', `sid=${session}; Path=/; HttpOnly`).redirect(hasOverview ? '/overview' : '/notes');
    else response.status(401).send(`<p>Wrong name or password.</p>${credentials('Log in')}`);
  });
  const guarded = (handle: (name: string, response: Response) => void) => (request: Request, response: Response) => {
    const name = readerOf(request);
    if (name === undefined) return void response.redirect('/login');
    try {
      handle(name, response);
    } catch {
      response.status(500).send('<h1>Something went wrong</h1>');
    }
  };
  app.get(
    '/overview',
    guarded((name, response) => void response.send(`<h1>Hello ${escaped(name)}</h1><a href="/notes">Notes</a>`)),
  );
  app.get(
    '/notes',
    guarded((name, response) => {
      const list = isApi
        ? `<ul id=l></ul><script>fetch('/api/notes').then((a) => a.json()).then((all) => { l.textContent = all.length; })</script>`
        : `<ul>${notesOf(name).map(({ body }) => `<li>${escaped(text(body))}`)}</ul>`;
      const form = isSilent ? '<form method="post"><input name="note"><button>Keep</button></form>' : '';
      response.send(`${heading(byCity ? cityOf(name) : name)}<p>${escaped(name)}</p>${list}${form}`);
    }),
  );
  if (isSilent)
    app.post('/notes', (request, response) => {
      const name = readerOf(request);
      if (name !== undefined)
        database.prepare('INSERT INTO notes VALUES (?, ?)').run(name, text(request.body?.note).slice(0, 200));
      response.redirect('/notes');
    });
  if (isApi)
    app.get(
      '/api/notes',
      guarded((name, response) => void response.json(notesOf(name))),
    );
  const identity = {
    name: 'registered_1',
    login: { path: '/login', username: 'ida', password: 'ida-Pass-77' },
    checkPath: hasOverview ? '/overview' : '/notes',
    marker: 'ida',
  };
  return startApp(app, {
    options: { depth: 'deep', writes: 'create', identities: [identity], startPaths: [identity.checkPath] },
    close: () => database.close(),
  });
}
