import type { DatabaseSync } from 'node:sqlite';
import express from 'express';
import type { ScoreSite } from '../case.ts';
import { startApp } from './express.ts';

type Find = (filter: { text: string; max: number }, database: DatabaseSync) => unknown[];

const page = `<!doctype html><title>Lamps</title><div id="app"></div><script>
  const app = document.getElementById('app');
  app.innerHTML = '<div class="bar"><input placeholder="Search lamps"><button>Go</button></div><ul></ul>';
  const token = () => document.cookie.replace(/^.*XSRF-TOKEN=([^;]+).*$/, '$1');
  app.querySelector('button').onclick = async () => {
    const answer = await fetch('/api/lamps/search', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-XSRF-TOKEN': token() },
      body: JSON.stringify({ filter: { text: app.querySelector('input').value, max: 50 }, page: 1 }),
    });
    const { lamps } = await answer.json();
    app.querySelector('ul').replaceChildren(...lamps.map(({ title }) => document.createTextNode(title)));
  };
</script>`;

/**
 * A single-page app: its script sends JSON when somebody searches, with the token of a cookie in a header. The API takes values of the
 * right types only.
 */
export function startScriptedShop(find: Find, database: DatabaseSync): Promise<ScoreSite> {
  const app = express();
  app.use(express.json());
  app.get('/', (_request, response) => {
    response.cookie('XSRF-TOKEN', Math.random().toString(36).slice(2).padEnd(12, '0'));
    response.send(page);
  });
  app.post('/api/lamps/search', ({ headers, body }, response) => {
    const [, token] = /XSRF-TOKEN=([^;]+)/.exec(headers.cookie ?? '') ?? [];
    if (token === undefined || headers['x-xsrf-token'] !== token)
      return void response.status(403).json({ error: 'token' });
    const { text, max } = body?.filter ?? {};
    if (typeof text !== 'string' || typeof max !== 'number') return void response.status(400).json({ error: 'types' });
    response.json({ lamps: find({ text, max }, database) });
  });
  return startApp(app, { close: () => database.close() });
}
