import { DatabaseSync } from 'node:sqlite';
import express from 'express';
import { Pool } from 'pg';
import { testDatabase } from '../../../../support/servers.ts';
import type { ScoreCase } from '../../../case.ts';
import { startApp } from '../../../sites/express.ts';
import { startValuePage } from '../../../sites/value-page.ts';

/** A page that runs a statement of a real PostgreSQL and shows nothing of it. */
const caseOf = (name: string, link: string, vulnerable: (value: string) => string, patched: string): ScoreCase => ({
  name,
  async start(variant) {
    const database = await testDatabase();
    const pool = new Pool({ connectionString: database.ownerUrl });
    pool.on('error', () => undefined);
    await pool.query("CREATE TABLE visits (id int, page text); INSERT INTO visits VALUES (1, 'home'), (2, 'about')");
    return startValuePage({
      link,
      make: async (value) => {
        const done = variant === 'vulnerable' ? pool.query(vulnerable(value)) : pool.query(patched, [value]);
        await done.catch(() => undefined);
        return '<p>Noted</p>';
      },
      async close() {
        await pool.end();
        await database.drop();
      },
    });
  },
});

/** The same of a real SQLite, into which a value is put. */
const keptInSqlite: ScoreCase = {
  name: 'value of an insert in SQLite',
  async start(variant) {
    const database = new DatabaseSync(':memory:');
    database.exec('CREATE TABLE visits (page TEXT, times INTEGER)');
    const insert = (value: string) =>
      variant === 'vulnerable'
        ? database.exec(`INSERT INTO visits VALUES ('${value}', 1)`)
        : database.prepare('INSERT INTO visits VALUES (?, 1)').run(value);
    return startValuePage({
      link: '/note?page=1',
      make: async (value) => {
        try {
          insert(value);
        } catch {
          // Nothing of an error is shown.
        }
        return '<p>Noted</p>';
      },
      close: async () => database.close(),
    });
  },
};

/** What a visit is counted by stands in a cookie, and no page shows what the statement found. */
const countedVisits: ScoreCase = {
  name: 'shop that looks up a campaign by a cookie',
  async start(variant) {
    const database = await testDatabase();
    const pool = new Pool({ connectionString: database.ownerUrl });
    pool.on('error', () => undefined);
    await pool.query("CREATE TABLE campaigns (name text); INSERT INTO campaigns VALUES ('spring'), ('autumn')");
    const app = express();
    app.get('/', async ({ headers }, response) => {
      const [, given] = /(?:^|; )campaign=([^;]+)/.exec(headers.cookie ?? '') ?? [];
      const name = decodeURIComponent(given ?? 'spring');
      const found =
        variant === 'vulnerable'
          ? pool.query(`SELECT name FROM campaigns WHERE name = '${name}'`)
          : pool.query('SELECT name FROM campaigns WHERE name = $1', [name]);
      await found.catch(() => undefined);
      if (given === undefined) response.cookie('campaign', 'spring');
      response.send('<h1>Lamps and chairs</h1>');
    });
    const close = async () => {
      await pool.end();
      await database.drop();
    };
    return startApp(app, { options: { depth: 'deep', writes: 'create' }, close });
  },
};

export const cases: ScoreCase[] = [
  keptInSqlite,
  countedVisits,
  caseOf(
    'number',
    '/note?id=1',
    (id) => `SELECT page FROM visits WHERE id = ${id}`,
    'SELECT page FROM visits WHERE id = $1',
  ),
  caseOf(
    'text with wildcards in parentheses',
    '/note?page=home',
    (page) => `SELECT id FROM visits WHERE (page LIKE '%${page}%') ORDER BY id`,
    "SELECT id FROM visits WHERE (page LIKE '%' || $1 || '%') ORDER BY id",
  ),
  caseOf('limit', '/note?max=5', (max) => `SELECT id FROM visits LIMIT ${max}`, 'SELECT id FROM visits LIMIT $1'),
];
