import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import ejs from 'ejs';
import express, { type Request } from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

type MemberListDesign = {
  /** Where the names are put in: a page for everybody, one that script fills for members, or one for the administrator. */
  list: 'open' | 'scripted' | 'administration';
};

const form = `<form method="post"><input name="username"><input name="fullname"><input name="email" type="email">
  <input name="password" type="password"><input name="cpassword" type="password"><button>Sign up</button></form>`;
const text = (value: unknown) => String(value ?? '');

/** Accounts that everybody opens under a name that is still free, and a list of their owners. */
export function startMemberList(variant: Variant, { list }: MemberListDesign): Promise<ScoreSite> {
  const isOpen = variant === 'vulnerable';
  const database = new DatabaseSync(':memory:');
  database.exec(
    'CREATE TABLE members (login TEXT PRIMARY KEY, name TEXT, mail TEXT UNIQUE, password TEXT, session TEXT)',
  );
  const register = (...[login, name, mail, password]: string[]) =>
    database
      .prepare('INSERT OR IGNORE INTO members VALUES (?, ?, ?, ?, NULL)')
      .run(login ?? '', name ?? '', mail ?? '', password ?? '').changes === 1;
  register('ida', 'Ida Berg', 'ida@example.com', 'ida-Pass-77');
  register('root', 'The boss', 'root@example.com', 'root-Pass-77');
  const readerOf = (request: Request) => {
    const session = /sid=(\w{32})/.exec(request.get('cookie') ?? '')?.[1] ?? '';
    const member = database.prepare('SELECT login FROM members WHERE session = ?').get(session);
    return member && String(member.login);
  };
  const names = () => database.prepare('SELECT name, mail FROM members ORDER BY rowid DESC').all();
  const page = ejs.compile(`<!doctype html><h1>Members</h1><ul><% for (const { name } of members) { %>
    <li><%${isOpen ? '-' : '='} name %></li><% } %></ul>`);
  const scripted = `<!doctype html><h1>Members</h1><ul id="list"></ul><script>
    fetch('/api/members').then((answer) => answer.json()).then((members) => members.forEach(({ name }) => {
      document.getElementById('list').appendChild(document.createElement('li')).${isOpen ? 'innerHTML' : 'textContent'} = name;
    }));</script>`;
  const app = express().use(express.urlencoded({ extended: false }));
  const link = list === 'open' ? '<a href="/members">Members</a>' : '';
  app.get('/', (_request, response) =>
    response.send(`${link} <a href="/register">Sign up</a> <a href="/login">Log in</a>`),
  );
  app.get('/register', (_request, response) => response.send(form));
  app.post('/register', (request, response) => {
    const { username, fullname, email, password, cpassword } = request.body;
    const isComplete = /^[\w-]{3,30}$/.test(text(username)) && /^\S+@\S+$/.test(text(email)) && text(fullname) !== '';
    if (!isComplete || text(password).length < 8 || password !== cpassword)
      return void response.status(400).send(`<p>Please fill in all fields.</p>${form}`);
    if (!register(text(username), text(fullname), text(email), text(password)))
      return void response.status(409).send('<p>Somebody has that name.</p>');
    response.redirect('/login');
  });
  app.get('/login', (_request, response) =>
    response.send(
      '<form method="post"><input name="username"><input type="password" name="password"><button>Log in</button></form>',
    ),
  );
  app.post('/login', (request, response) => {
    const session = randomBytes(16).toString('hex');
    const { changes } = database
      .prepare('UPDATE members SET session = ? WHERE login = ? AND password = ?')
      .run(session, text(request.body?.username), text(request.body?.password));
    if (changes === 1) response.append('set-cookie', `sid=${session}; Path=/; HttpOnly`).redirect('/home');
    else response.status(401).send('<p>Wrong name or password.</p>');
  });
  app.use((request, response, next) => {
    const isPublic = list === 'open' && request.path === '/members';
    if (isPublic || readerOf(request)) next();
    else response.redirect('/login');
  });
  app.get('/home', (request, response) =>
    response.send(`<p>Signed in as ${readerOf(request)}</p><a href="/members">Members</a>`),
  );
  app.get('/members', (request, response) => {
    if (list === 'administration' && readerOf(request) !== 'root') return void response.status(403).send('<h1>No</h1>');
    response.send(list === 'scripted' ? scripted : page({ members: names() }));
  });
  if (list === 'scripted') app.get('/api/members', (_request, response) => void response.json(names()));
  const member = {
    name: 'a',
    login: { path: '/login', username: 'ida', password: 'ida-Pass-77' },
    checkPath: '/home',
    marker: 'Signed in as ida',
  };
  const root = {
    name: 'root',
    role: 'admin',
    login: { path: '/login', username: 'root', password: 'root-Pass-77' },
    checkPath: '/home',
    marker: 'Signed in as root',
  };
  return startApp(app, {
    options: { depth: 'deep', writes: 'create', identities: [member, root], startPaths: ['/home'] },
    close: () => database.close(),
  });
}
