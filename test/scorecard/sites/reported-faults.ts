import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import type { ScoreSite, Variant } from '../case.ts';
import { startApp } from './express.ts';

const script = `document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const { place, fault } = event.target;
  const body = JSON.stringify({ place: place.value, fault: fault.value });
  fetch('/api/faults', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
});`;

/** Faults that a script reports as JSON; a description has to have some length. */
export function startReportedFaults(variant: Variant): Promise<ScoreSite> {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `CREATE TABLE faults (place TEXT, fault TEXT); INSERT INTO faults VALUES ('Hall', 'The lamp is broken')`,
  );
  const doubled = (text: string) => text.replaceAll("'", "''");
  const app = express();
  app.use(express.json());
  app.get('/', (_request, response) =>
    response.send(
      `<h1>Faults</h1><p><a href="/faults">All</a></p><form><input name="place"><textarea name="fault"></textarea><button>Report</button></form><script>${script}</script>`,
    ),
  );
  app.get('/faults', (_request, response) => {
    const all = database.prepare('SELECT * FROM faults').all();
    response.send(all.map(({ place, fault }) => `<p>${[place, fault].map(escaped).join(': ')}</p>`).join(''));
  });
  app.post('/api/faults', (request, response) => {
    const [place, fault] = [String(request.body.place ?? ''), String(request.body.fault ?? '')];
    if (place === '' || fault.length < 6) return void response.status(400).json({ error: 'Please write more.' });
    try {
      const value = variant === 'vulnerable' ? place : doubled(place);
      database.exec(`INSERT INTO faults VALUES ('${value}', '${doubled(fault)}')`);
    } catch {
      return void response.status(400).json({ error: 'Not kept.' });
    }
    response.status(201).json({ kept: true });
  });
  return startApp(app, { options: { depth: 'deep', writes: 'create' }, close: () => database.close() });
}

const escaped = (text: unknown): string => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
