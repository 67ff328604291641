import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import ejs from 'ejs';
import express, { type Request } from 'express';
import nunjucks from 'nunjucks';
import type { AuditOptions, TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const create: AuditOptions = { depth: 'deep', writes: 'create' };

function openTexts(...names: string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const name of names)
    database.exec(`CREATE TABLE ${name} (id INTEGER PRIMARY KEY, owner TEXT, who TEXT, words TEXT, private INTEGER)`);
  return database;
}

type Row = { id: number; owner: string; who: string; words: string };
const rowsOf = (database: DatabaseSync, name: string) =>
  database.prepare(`SELECT id, owner, who, words FROM ${name} ORDER BY id`).all() as Row[];
const add = (database: DatabaseSync, name: string, owner: string, who: string, words: string) =>
  database.prepare(`INSERT INTO ${name} (owner, who, words) VALUES (?, ?, ?)`).run(owner, who, words).lastInsertRowid;

/** A guest book that everybody signs and reads, with its entries in SQLite and its pages by Nunjucks. */
export function startGuestBook(variant: Variant): Promise<ScoreSite> {
  const database = openTexts('entries');
  add(database, 'entries', '', 'Ann', 'First!');
  const engine = new nunjucks.Environment(null, { autoescape: variant === 'patched' });
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) => response.send('<h1>Inn</h1><a href="/book">Guest book</a>'));
  app.get('/book', (_request, response) =>
    response.send(
      engine.renderString(
        `<h1>Guest book</h1><form method="post" action="/book"><input name="who"><textarea name="words"></textarea><button>Sign</button></form>
        {% for entry in entries %}<div class="entry"><b>{{ entry.who }}</b><p>{{ entry.words }}</p></div>{% endfor %}`,
        { entries: rowsOf(database, 'entries') },
      ),
    ),
  );
  app.post('/book', (request, response) => {
    const { who = '', words = '' } = request.body;
    if (who !== '' && words !== '') add(database, 'entries', '', who, words);
    response.redirect(303, '/book');
  });
  return startApp(app, { options: create, close: () => database.close() });
}

const sessions: Record<string, string> = { 'session-of-ann-71': 'Ann', 'session-of-bob-72': 'Bob' };
const readerOf = ({ headers }: Request): string | undefined =>
  sessions[/(?:^|; )sid=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? ''];
const identities: TestIdentity[] = Object.entries(sessions).map(([sid, name]) => ({
  name: name.toLowerCase(),
  cookies: { sid },
  checkPath: '/home',
  marker: `Signed in as ${name}`,
}));
const members: AuditOptions = { ...create, identities, startPaths: ['/home'] };

/** A board of members: each question has a page of its own, and stands in an attribute there whose text EJS encodes or leaves as it is. */
export function startBoard(variant: Variant): Promise<ScoreSite> {
  const database = openTexts('questions');
  add(database, 'questions', 'Bob', 'Lamp?', 'Which lamp is it?');
  const page = ejs.compile(`<!doctype html><h1>Question <%= id %></h1>
    <img src="/share.png" alt="<%${variant === 'vulnerable' ? '-' : '='} who %>"><p><%= words %></p><a href="/board">All</a>`);
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) =>
    readerOf(request) ? next() : void response.status(403).send('<h1>Members only</h1>'),
  );
  app.get('/home', (request, response) =>
    response.send(`<p>Signed in as ${readerOf(request)}</p><a href="/board">Board</a><a href="/board/ask">Ask</a>`),
  );
  app.get('/board', (_request, response) =>
    response.send(
      `<ul>${rowsOf(database, 'questions')
        .map(({ id }) => `<li><a href="/board/${id}">Question ${id}</a>`)
        .join('')}</ul>`,
    ),
  );
  app.get('/board/ask', (_request, response) =>
    response.send(
      '<form method="post" action="/board"><input name="topic"><textarea name="words"></textarea><button>Ask</button></form>',
    ),
  );
  app.get('/board/:id', (request, response) => {
    const row = rowsOf(database, 'questions').find(({ id }) => String(id) === request.params.id);
    if (!row) return void response.status(404).send('<h1>No such question</h1>');
    response.send(page(row));
  });
  app.post('/board', (request, response) => {
    const { topic = '', words = '' } = request.body;
    response.redirect(`/board/${add(database, 'questions', readerOf(request) ?? '', topic, words)}`);
  });
  return startApp(app, { options: members, close: () => database.close() });
}

/** An application of script over a JSON API: what the list is made of decides; it may stand behind a tab. */
export function startTaskList(variant: Variant, shown: 'at once' | 'in a tab' = 'at once'): Promise<ScoreSite> {
  const database = openTexts('tasks');
  add(database, 'tasks', '', '', 'Water the plants');
  const put = variant === 'vulnerable' ? 'innerHTML' : 'textContent';
  const app = express();
  app.use(express.json());
  app.get('/', (_request, response) =>
    response.send(`<!doctype html><h1>Tasks</h1><form id="f"><input id="t"><button>Add</button></form>${shown === 'in a tab' ? '<button id="one" role="tab">Help</button><button id="all" role="tab">All tasks</button>' : ''}<ul id="list"></ul><script>
      const load = async () => {
        const tasks = await (await fetch('/api/tasks')).json();
        list.replaceChildren(...tasks.map(({ title }) => Object.assign(document.createElement('li'), { ${put}: title })));
      };
      f.onsubmit = async (event) => {
        event.preventDefault();
        await fetch('/api/tasks', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: t.value || 'Task' }) });
        ${shown === 'in a tab' ? 'one.click' : 'load'}();
      };
      ${shown === 'in a tab' ? "all.onclick = load; one.onclick = () => list.replaceChildren('Type a task'); fetch('/api/tasks')" : 'load()'};
    </script>`),
  );
  app.get('/api/tasks', (_request, response) =>
    response.json(rowsOf(database, 'tasks').map(({ id, words }) => ({ id, title: words }))),
  );
  app.post('/api/tasks', (request, response) => {
    response.status(201).json({ id: Number(add(database, 'tasks', '', '', String(request.body.title ?? ''))) });
  });
  return startApp(app, { options: create, close: () => database.close() });
}

/** Names in profiles, which each member changes and all are shown; nothing is made that could not be put back. */
export function startTeam(
  variant: Variant,
  list: 'page' | 'script' = 'page',
): Promise<ScoreSite & { motto(): string }> {
  const mottos = new Map([
    ['Ann', 'Always on time'],
    ['Bob', 'Slow and steady'],
  ]);
  const engine = new nunjucks.Environment(null, { autoescape: variant === 'patched' });
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) =>
    readerOf(request) ? next() : void response.status(403).send('<h1>Members only</h1>'),
  );
  app.get('/home', (request, response) =>
    response.send(`<p>Signed in as ${readerOf(request)}</p><a href="/team">Team</a><a href="/profile">Profile</a>`),
  );
  app.get('/api/team', (_request, response) => response.json([...mottos]));
  const sink = variant === 'patched' ? 'textContent' : 'innerHTML';
  app.get('/team', (_request, response) =>
    response.send(
      list === 'script'
        ? `<ul id="team"></ul><script>fetch('/api/team').then((a) => a.json()).then((team) => team.forEach(([name, motto]) => {
            document.getElementById('team').appendChild(document.createElement('li')).${sink} = motto;
          }));</script>`
        : inPage(),
    ),
  );
  const inPage = () =>
    engine.renderString('<h1>Team</h1>{% for name, motto in team %}<p>{{ name }}: {{ motto }}</p>{% endfor %}', {
      team: Object.fromEntries(mottos),
    });
  app.get('/profile', (request, response) =>
    response.send(
      new nunjucks.Environment(null, { autoescape: true }).renderString(
        '<form method="post" action="/profile"><input name="about" value="{{ motto }}"><button>Save</button></form>',
        { motto: mottos.get(readerOf(request) ?? '') },
      ),
    ),
  );
  app.post('/profile', (request, response) => {
    mottos.set(readerOf(request) ?? '', String(request.body.about ?? ''));
    response.redirect(303, '/profile');
  });
  return startApp(app, { options: { ...members, writes: 'reversible' } }).then((site) =>
    Object.assign(site, { motto: () => [...mottos.values()].join('|') }),
  );
}

/** Comments that a link makes, as small sites do. */
export function startLinkedComments(variant: Variant): Promise<ScoreSite> {
  const database = openTexts('comments');
  const app = express();
  const engine = new nunjucks.Environment(null, { autoescape: variant === 'patched' });
  app.get('/', (request, response) => {
    const { comment } = request.query;
    if (typeof comment === 'string' && comment !== '') add(database, 'comments', '', '', comment);
    const rows = rowsOf(database, 'comments').slice(-50);
    response.send(
      engine.renderString(
        '<h1>Wall</h1><a href="/?comment=">Comments</a>{% for row in rows %}<p>{{ row.words }}</p>{% endfor %}',
        { rows },
      ),
    );
  });
  return startApp(app, { options: create, close: () => database.close() });
}

/** Members have notes that nobody else is shown: what runs there runs for who wrote it. */
export function startPrivateNotes(): Promise<ScoreSite> {
  const database = openTexts('notes');
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) =>
    readerOf(request) ? next() : void response.status(403).send('<h1>Members only</h1>'),
  );
  app.get('/home', (request, response) =>
    response.send(`<p>Signed in as ${readerOf(request)}</p><a href="/notes">Notes</a>`),
  );
  app.get('/notes', (request, response) => {
    const own = rowsOf(database, 'notes').filter(({ owner }) => owner === readerOf(request));
    response.send(
      `<form method="post" action="/notes"><textarea name="words"></textarea><button>Keep</button></form>${own.map(({ words }) => `<p>${words}</p>`).join('')}`,
    );
  });
  app.post('/notes', (request, response) => {
    add(database, 'notes', readerOf(request) ?? '', '', String(request.body.words ?? ''));
    response.redirect(303, '/notes');
  });
  return startApp(app, { options: members, close: () => database.close() });
}

/** Tenants hand in requests for repairs, of which each has a page that its sender and the caretakers are shown: nobody else. */
export function startRepairRequests(variant: Variant): Promise<ScoreSite> {
  const database = openTexts('requests');
  const app = express();
  const tokenOf = (reader: string) => createHash('sha256').update(`repairs of ${reader}`).digest('hex').slice(0, 24);
  const engine = new nunjucks.Environment(null, { autoescape: true });
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) =>
    readerOf(request) ? next() : void response.status(403).send('<h1>Members only</h1>'),
  );
  app.get('/home', (request, response) =>
    response.send(`<p>Signed in as ${readerOf(request)}</p><a href="/requests">Requests</a>`),
  );
  app.get('/requests', (request, response) => {
    const own = rowsOf(database, 'requests').filter(({ owner }) => owner === readerOf(request));
    response.send(
      engine.renderString(
        '<a href="/requests/new">New request</a><ul>{% for row in own %}<li><a href="/requests/{{ row.id }}">{{ row.who }}</a></li>{% endfor %}</ul>',
        { own },
      ),
    );
  });
  app.get('/requests/new', (request, response) =>
    response.send(
      `<form method="post"><input type="hidden" name="csrf_token" value="${tokenOf(readerOf(request) ?? '')}"><input name="what"><textarea name="damage"></textarea><button>Hand in</button></form>`,
    ),
  );
  app.post('/requests/new', (request, response) => {
    const reader = readerOf(request) ?? '';
    const { csrf_token, what = '', damage = '' } = request.body;
    if (csrf_token !== tokenOf(reader)) return void response.status(403).send('<h1>Open the form again</h1>');
    const stripped = String(damage).replace(/<\/?script[^>]*>/gi, '');
    if (what !== '' && damage !== '') add(database, 'requests', reader, String(what).slice(0, 60), stripped);
    response.redirect(303, '/requests');
  });
  app.get('/requests/:id', (request, response) => {
    const row = rowsOf(database, 'requests').find(({ id }) => String(id) === request.params.id);
    if (!row || row.owner !== readerOf(request)) return void response.status(404).send('<h1>No such request</h1>');
    response.send(
      engine.renderString(`<h1>{{ who }}</h1><div>{{ words${variant === 'vulnerable' ? ' | safe' : ''} }}</div>`, row),
    );
  });
  return startApp(app, { options: members, close: () => database.close() });
}

/** Sites that keep what they are sent and show it where no script runs. */
export const honestSites: Record<string, () => Promise<ScoreSite>> = {
  'that shows entries in a text area': () =>
    showing((words) => `<textarea>${words.replaceAll('<', '&lt;')}</textarea>`),
  'that takes out all tags': () => showing((words) => `<p>${words.replace(/[<>]/g, '')}</p>`),
  'that shows entries as plain text': () => showing((words) => words, 'text/plain'),
  'that gives entries as JSON': () => showing((words) => JSON.stringify({ words }), 'application/json'),
  'whose policy runs no script of the page': () =>
    showing((words) => `<p>${words}</p>`, 'text/html', "default-src 'self'"),
  'that shows each entry once': () => showing((words) => `<p>${words}</p>`, 'text/html', undefined, true),
};

function showing(show: (words: string) => string, type = 'text/html', policy?: string, isOnce = false) {
  const kept: string[] = ['First!'];
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      '<a href="/all">All</a><form method="post" action="/"><textarea name="words"></textarea><button>Keep</button></form>',
    ),
  );
  app.get('/all', (_request, response) => {
    if (policy) response.set('content-security-policy', policy);
    response.type(type).send(kept.map(show).join('\n'));
    if (isOnce) kept.length = 1;
  });
  app.post('/', (request, response) => {
    kept.push(String(request.body.words ?? ''));
    response.redirect(303, '/all');
  });
  return startApp(app, { options: create });
}
