import { DatabaseSync } from 'node:sqlite';
import express, { type Request } from 'express';
import type { AuditOptions } from '../../workflows/checks/harness.ts';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const create: AuditOptions = { depth: 'deep', writes: 'create' };
const escaped = (text: unknown): string => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const form = (more: string): string =>
  `<form method="post" action="/add" enctype="multipart/form-data">${more}<input type="file" name="item"><button>Add</button></form>`;
const bodies = express.raw({ type: 'multipart/form-data', limit: '1mb' });

/** What stands behind the last slash, as servers take names (RFC 7578 §4.2). */
function fileName({ body }: Request): string {
  const [, name = ''] = /filename="([^"]*)"/.exec(String(body)) ?? [];
  return name.replace(/^.*[/\\]/, '');
}

/** An album whose names of pictures are inserted as the text of a statement. */
export function startAlbum(variant: Variant): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE pictures (name TEXT); INSERT INTO pictures VALUES ('pier.png')`);
  const app = express();
  app.get('/', (_request, response) => {
    const list = database.prepare('SELECT name FROM pictures').all();
    response.send(`<h1>Album</h1>${form('')}${list.map(({ name }) => `<p>${escaped(name)}</p>`).join('')}`);
  });
  app.post('/add', bodies, (request, response) => {
    const name = fileName(request);
    try {
      if (!/\.(?:png|jpe?g|gif)$/.test(name)) response.status(415);
      else if (variant === 'vulnerable') database.exec(`INSERT INTO pictures VALUES ('${name}')`);
      else database.prepare('INSERT INTO pictures VALUES (?)').run(name);
      response.redirect(303, '/');
    } catch {
      response.status(500).send('<h1>Something went wrong</h1>');
    }
  });
  return startApp(app, { options: create, close: () => database.close() });
}

/** A list of files, of which only what was typed beside them is escaped. */
export function startDropBox(variant: Variant): Promise<ScoreSite> {
  const files: { title: string; name: string }[] = [];
  const app = express();
  app.get('/', (_request, response) => {
    const write = variant === 'vulnerable' ? String : escaped;
    const list = files.map(({ title, name }) => `<li>${escaped(title)}: ${write(name)}</li>`).join('');
    response.send(`<h1>Files</h1>${form('<input name="title">')}<ul>${list}</ul>`);
  });
  app.post('/add', bodies, (request, response) => {
    const [, title = ''] = /name="title"\r\n\r\n([^\r]*)/.exec(String(request.body)) ?? [];
    files.push({ title, name: fileName(request) });
    response.redirect(303, '/');
  });
  return startApp(app, { options: create });
}
