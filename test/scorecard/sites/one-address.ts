import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

type Row = { id: number; name: string; town: string };

/** A ferry line whose timetable, harbours, boats and crews are parts of a program with one address. Only the boats are read by a statement of text. */
function openLine(variant: Variant) {
  const database = new DatabaseSync(':memory:');
  const tables = ['trips', 'harbours', 'boats', 'crews'];
  for (const table of tables)
    database.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
      INSERT INTO ${table} VALUES (1, '${table} of Aland', 'Mariehamn'), (2, '${table} of Bornholm', 'Ronne'), (3, '${table} of Coll', 'Arinagour')`);
  const read = (statement: string, ...values: string[]): Row[] => {
    try {
      return database.prepare(statement).all(...values) as Row[];
    } catch {
      return [];
    }
  };
  return {
    tables,
    close: () => database.close(),
    find: (table: string, text: string): Row[] => {
      if (!tables.includes(table)) return [];
      return variant === 'vulnerable' && table === 'boats'
        ? read(`SELECT * FROM boats WHERE name LIKE '%${text}%'`)
        : read(`SELECT * FROM ${table} WHERE name LIKE '%' || ? || '%'`, text);
    },
  };
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** "/index.php?view=boats&find=…": all searches have the same path and the same name. */
export function startFerryPages(variant: Variant): Promise<ScoreSite> {
  const line = openLine(variant);
  const menu = line.tables.map((table) => `<a href="/index.php?view=${table}">${table}</a>`).join(' ');
  const app = express();
  app.get(['/', '/index.php'], (request, response) => {
    const view = String(request.query.view ?? 'home');
    if (!line.tables.includes(view)) return void response.send(`<nav>${menu}</nav><h1>Ferries</h1>`);
    const rows = line.find(view, String(request.query.find ?? ''));
    response.send(`<nav>${menu}</nav><h1>${view}</h1>
      <form action="/index.php"><input type="hidden" name="view" value="${view}"><input name="find" placeholder="Name"><button>Search</button></form>
      <ul>${rows.map(({ name, town }) => `<li>${escaped(name)}, ${town}</li>`).join('')}</ul>`);
  });
  return startApp(app, { close: line.close });
}

/** `{"method":"boats.find","params":{"text":"…"}}`, posted to one address by the script of a page of a test system. */
export async function startFerryProcedures(variant: Variant): Promise<ScoreSite> {
  const line = openLine(variant);
  const app = express();
  app.get('/', (_request, response) =>
    response.send(`<h1>Ferries</h1>${line.tables.map((table) => `<button id="${table}">${table}</button>`).join('')}<pre id="list"></pre>
      <script>const ask = async (method) => {
        const answer = await fetch('/rpc', { method: 'POST', headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { text: 'of' } }) });
        document.getElementById('list').textContent = await answer.text();
      };
      for (const button of document.querySelectorAll('button')) button.onclick = () => ask(button.id + '.find');</script>`),
  );
  app.post('/rpc', express.json(), (request, response) => {
    const { id, method, params } = request.body ?? {};
    const [table = '', verb] = String(method).split('.');
    response.json(
      verb === 'find' && line.tables.includes(table)
        ? { jsonrpc: '2.0', id, result: line.find(table, String(params?.text ?? '')) }
        : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } },
    );
  });
  const site = await startApp(app, { close: line.close });
  return { ...site, options: { depth: 'deep', writes: 'create' } };
}
