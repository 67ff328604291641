import { DatabaseSync } from 'node:sqlite';
import express, { type Request } from 'express';
import type { AuditOptions, TestIdentity } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const create: AuditOptions = { depth: 'deep', writes: 'create' };
const identities: TestIdentity[] = [
  { name: 'lena', cookies: { sid: 'session-of-lena-62' }, checkPath: '/', marker: 'Signed in as Lena' },
];
const isLena = ({ headers }: Request): boolean => /(?:^|; )sid=session-of-lena-62/.test(headers.cookie ?? '');
const escaped = (text: unknown): string => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Errors are hidden, as in production. */
function hidingErrors(app: express.Express, work: (request: Request) => unknown, path: string, next: string): void {
  app.post(path, (request, response) => {
    try {
      work(request);
      response.redirect(303, next);
    } catch {
      response.status(500).send('<h1>Something went wrong</h1>');
    }
  });
}

/** A guest book whose entries are inserted as the text of a statement. */
export function startInsertedEntries(variant: Variant): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE entries (author TEXT, words TEXT); INSERT INTO entries VALUES ('Ada', 'Lovely')`);
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) => {
    const list = database.prepare('SELECT * FROM entries').all();
    response.send(
      `<h1>Guests</h1><form method="post" action="/sign"><input name="author"><textarea name="words"></textarea><button>Sign</button></form>
      ${list.map(({ author, words }) => `<p>${escaped(author)}: ${escaped(words)}</p>`).join('')}`,
    );
  });
  const insert = ({ body }: Request) => {
    const [author, words] = [String(body.author ?? ''), String(body.words ?? '')];
    if (variant === 'vulnerable')
      database.exec(`INSERT INTO entries VALUES ('${author.replaceAll("'", "''")}', '${words}')`);
    else database.prepare('INSERT INTO entries VALUES (?, ?)').run(author, words);
  };
  hidingErrors(app, insert, '/sign', '/');
  return startApp(app, { options: create, close: () => database.close() });
}

/** A profile whose texts are updated by the text of a statement, in double quotes. */
export function startUpdatedProfile(variant: Variant): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
  database.exec(`CREATE TABLE people (id INTEGER, city TEXT); INSERT INTO people VALUES (1, 'Rome'), (2, 'Bern')`);
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.use((request, response, next) => (isLena(request) ? next() : void response.status(403).send('<h1>Closed</h1>')));
  app.get('/', (_request, response) => response.send('<p>Signed in as Lena</p><a href="/profile">Profile</a>'));
  app.get('/profile', (_request, response) => {
    const { city } = database.prepare('SELECT city FROM people WHERE id = 1').get() ?? {};
    response.send(`<form method="post"><input name="city" value="${escaped(city)}"><button>Save</button></form>`);
  });
  const update = ({ body }: Request) => {
    const city = String(body.city ?? '');
    if (variant === 'vulnerable') database.exec(`UPDATE people SET city = "${city}" WHERE id = 1`);
    else database.prepare('UPDATE people SET city = ? WHERE id = 1').run(city);
  };
  hidingErrors(app, update, '/profile', '/profile');
  return startApp(app, { options: { ...create, writes: 'reversible', identities } });
}

/** Notes that have a page of their own each. */
export function startInsertedNotes(variant: Variant): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, words TEXT); INSERT INTO notes (words) VALUES ('Tea')`);
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      '<h1>Notes</h1><a href="/notes/1">Tea</a><form method="post" action="/notes"><textarea name="words"></textarea><button>Keep</button></form>',
    ),
  );
  app.post('/notes', (request, response) => {
    const words = String(request.body.words ?? '');
    const value = variant === 'vulnerable' ? `'${words}'` : `'${words.replaceAll("'", "''")}'`;
    try {
      database.exec(`INSERT INTO notes (words) VALUES (${value})`);
    } catch {
      return void response.status(400).send('<h1>Not kept</h1>');
    }
    const { id } = database.prepare('SELECT max(id) AS id FROM notes').get() ?? {};
    response.redirect(303, `/notes/${id}`);
  });
  app.get('/notes/:id', (request, response) => {
    const note = database.prepare('SELECT words FROM notes WHERE id = ?').get(Number(request.params.id));
    if (!note) return void response.status(404).send('<h1>No such note</h1>');
    response.send(`<h1>Note</h1><p>${escaped(note.words)}</p>`);
  });
  return startApp(app, { options: create, close: () => database.close() });
}

/** Tickets whose priority is chosen from a list: texts are written with their quotes doubled, and the choice as it comes. */
export function startTickets(variant: Variant): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE TABLE tickets (subject TEXT, priority TEXT); INSERT INTO tickets VALUES ('Lamp broken', 'low')`,
  );
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) => {
    const all = database.prepare('SELECT * FROM tickets').all();
    response.send(
      `<h1>Tickets</h1><form method="post" action="/tickets"><input name="subject"><select name="priority"><option>low<option>high</select><button>Create</button></form>
      ${all.map(({ subject, priority }) => `<p>${escaped(subject)}: ${escaped(priority)}</p>`).join('')}`,
    );
  });
  const insert = ({ body }: Request) => {
    const [subject, priority] = [String(body.subject ?? ''), String(body.priority ?? '')].map((text, index) =>
      variant === 'vulnerable' && index === 1 ? text : text.replaceAll("'", "''"),
    );
    database.exec(`INSERT INTO tickets VALUES ('${subject}', '${priority}')`);
  };
  hidingErrors(app, insert, '/tickets', '/');
  return startApp(app, { options: create, close: () => database.close() });
}

/** Doubles quotes and works out sums that stand in a text by a program of its own: no database evaluates anything. */
export function startSummingSheet(): Promise<ScoreSite> {
  const cells = ['12'];
  const app = express();
  app.use(express.urlencoded({ extended: false }));
  app.get('/', (_request, response) =>
    response.send(
      `<h1>Sheet</h1><form method="post" action="/cell"><textarea name="cell"></textarea><button>Put</button></form>${cells.map((cell) => `<p>${escaped(cell)}</p>`).join('')}`,
    ),
  );
  app.post('/cell', (request, response) => {
    const cell = String(request.body.cell ?? '');
    cells.push(cell.replace(/(\d+)\*(\d+)/g, (_, one, other) => String(Number(one) * Number(other))));
    response.redirect(303, '/');
  });
  return startApp(app, { options: create });
}
