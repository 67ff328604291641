import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

/** Messages that are searched for over a WebSocket, in JSON; errors are hidden. */
export function startMessageSearch(variant: Variant): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE messages (who TEXT, text TEXT);
    INSERT INTO messages VALUES ('ann', 'hello everybody'), ('bob', 'hi there'), ('eve', 'lunch at noon')`);
  const find = (text: string) =>
    variant === 'vulnerable'
      ? database.prepare(`SELECT who, text FROM messages WHERE text LIKE '%${text}%'`).all()
      : database.prepare("SELECT who, text FROM messages WHERE text LIKE '%' || ? || '%'").all(text);
  const app = express();
  app.get('/', (_request, response) =>
    response.send(
      `<h1>Messages</h1><ul id="list"></ul><input id="text"><button id="find">Search</button>
      <script>const socket = new WebSocket('ws://' + location.host + '/live');
      const ask = (text) => socket.send(JSON.stringify({ type: 'search', text }));
      socket.onopen = () => ask('');
      socket.onmessage = ({ data }) => { document.getElementById('list').textContent = data; };
      document.getElementById('find').onclick = () => ask(document.getElementById('text').value);</script>`,
    ),
  );
  return startApp(app, {
    close: () => database.close(),
    answerText: (sent) => {
      try {
        const { type, text } = JSON.parse(sent);
        return JSON.stringify(type === 'search' ? { found: find(String(text)) } : { error: 'unknown type' });
      } catch {
        return JSON.stringify({ error: 'failed' });
      }
    },
  });
}
