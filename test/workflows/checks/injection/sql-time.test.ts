import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import express from 'express';
import { Pool } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlTime } from '../../../../workflows/checks/injection/sql-time.check.ts';
import { escapeHtml } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { type TestDatabase, testDatabase } from '../../../support/servers.ts';
import { sideBySide } from '../../../support/side-by-side.ts';
import { places, runOn, stored } from '../harness.ts';
import { resultOn, type Show } from './interpreter-sites.ts';

const all = suite('injection.sql-time');
/** Most of the time they wait. */
const test = sideBySide(all, 8);

let database: TestDatabase;
let pool: Pool;

all.before(async () => {
  database = await testDatabase();
  pool = new Pool({ connectionString: database.ownerUrl });
  await pool.query('CREATE TABLE visits (id int, page text); INSERT INTO visits VALUES (1, $$home$$), (2, $$about$$)');
});
all.after(async () => {
  await pool.end();
  await database.drop();
});

/** Nothing of the result, or of an error, is shown. */
const quietly = async (statement: string, values: string[] = []): Promise<string> => {
  await pool.query(statement, values).catch(() => undefined);
  return '<p>Noted</p>';
};
const found = (link: string, show: Show) => resultOn(sqlTime, link, show);

const vulnerable: [string, string, Show][] = [
  ['a number', '/note?id=1', (id) => quietly(`SELECT page FROM visits WHERE id = ${id}`)],
  ['a text', '/note?page=home', (page) => quietly(`SELECT id FROM visits WHERE page = '${page}' LIMIT 1`)],
  [
    'a text in parentheses',
    '/note?page=home',
    (page) => quietly(`SELECT id FROM visits WHERE (page LIKE '%${page}%')`),
  ],
  ['the end of a list', '/note?max=5', (max) => quietly(`SELECT id FROM visits LIMIT ${max}`)],
  ['a text that is stored', '/note?from=list', (from) => quietly(`INSERT INTO visits VALUES (3, '${from}')`)],
  [
    'a text of which the page shows the value alone',
    '/note?page=home',
    async (page) => `${await quietly(`SELECT id FROM visits WHERE page = '${page}'`)}<p>${escapeHtml(page)}</p>`,
  ],
  ['a column to order by', '/note?sort=page', (sort) => quietly(`SELECT id FROM visits ORDER BY ${sort}`)],
];

for (const [what, link, show] of firstRows(vulnerable, 1)) {
  test(`${what} in a statement that shows nothing is found`, async () => {
    const result = await found(link, show);
    assert.is(result.outcome.kind, 'found', result.outcome.reason);
    assert.match(stored(result), /timing:slope:/);
    assert.match(result.findings[0]?.description ?? '', /PostgreSQL/);
  });
}

for (const [what, find] of [
  ['found', (q: string) => quietly(`SELECT id FROM visits WHERE page = '${q}'`)],
  ['clean', (q: string) => quietly('SELECT id FROM visits WHERE page = $1', [q])],
] as const)
  test(`what a search form posts to a statement is ${what}, whatever the page shows`, async () => {
    const app = express().use(express.urlencoded());
    app.get('/', (_request, answer) => {
      answer.send('<form method="post" action="/find"><input type="search" name="q"><button>Search</button></form>');
    });
    app.post('/find', async (request, answer) => {
      answer.send(await find(String(request.body.q)));
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const result = await runOn(`http://shop.localhost:${(server.address() as AddressInfo).port}/`, sqlTime);
      assert.equal([result.outcome.kind, places(result)], [what, what === 'found' ? ['POST /find q'] : []]);
    } finally {
      server.close();
    }
  });

further(all)(
  'SQLite, which has no function that waits, is found by what it counts, and not with a bound value',
  async () => {
    const notes = new DatabaseSync(':memory:');
    const keep = (run: (text: string) => unknown) => (text: string) => {
      try {
        run(text);
      } catch {
        // Nothing of an error is shown.
      }
      return '<p>Noted</p>';
    };
    const link = '/note?text=1';
    const vulnerable = await found(
      link,
      keep((text) => notes.prepare(`SELECT '${text}'`).all()),
    );
    assert.is(vulnerable.outcome.kind, 'found', vulnerable.outcome.reason);
    assert.match(stored(vulnerable), /timing:slope:/);
    assert.match(vulnerable.findings[0]?.description ?? '', /SQLite/);
    const patched = await found(
      link,
      keep((text) => notes.prepare('SELECT ?').all(text)),
    );
    assert.equal([patched.outcome.kind, patched.findings.length], ['clean', 0], patched.outcome.reason);
    notes.close();
  },
);

further(all)('H2 is found by rows that it makes one by one, where a text is compared', async () => {
  // It evaluates what is calculated with a text at the first row.
  const counting = (isBound: boolean) => async (text: string) => {
    const [, turns = '0', times = '0'] =
      /^\d+'-\(SELECT COUNT\(\*\) FROM SYSTEM_RANGE\(1,(\d+)\*(\d+)\) WHERE/.exec(text) ?? [];
    if (!isBound) await pause((Number(turns) * Number(times)) / 20_000);
    return '<p>Noted</p>';
  };
  const vulnerable = await found('/note?text=lamp', counting(false));
  assert.is(vulnerable.outcome.kind, 'found', vulnerable.outcome.reason);
  assert.match(vulnerable.findings[0]?.description ?? '', /H2/);
  assert.is((await found('/note?text=lamp', counting(true))).outcome.kind, 'clean');
});

further(all)('a server that counts so slowly that the first answer never comes is asked to count less', async () => {
  const turnsPerMs = 300;
  const counting = await found('/note?text=1', async (text) => {
    const [, turns = '0', times = '0'] = /LIMIT (\d+)\*(\d+)\*\(1 GLOB 1\)\) SELECT COUNT\(/.exec(text) ?? [];
    await pause((Number(turns) * Number(times)) / turnsPerMs);
    return '<p>Noted</p>';
  });
  assert.is(counting.outcome.kind, 'found', counting.outcome.reason);
});

further(all)('a server that has other work once its pace was taken is found by what it counts', async () => {
  let counted = 0;
  const counting = await found('/note?text=1', async (text) => {
    const [, turns = '0', times = '0'] = /LIMIT (\d+)\*(\d+)\*\(1 GLOB 1\)\) SELECT COUNT\(/.exec(text) ?? [];
    counted += Number(turns) > 0 ? 1 : 0;
    await pause((Number(turns) * Number(times)) / (counted <= 3 ? 5_000 : 3_500));
    return '<p>Noted</p>';
  });
  assert.is(counting.outcome.kind, 'found', counting.outcome.reason);
});

further(all)('a header that statistics store is found, and is clean as a bound value', async () => {
  const result = async (show: (from: string) => Promise<string>) => {
    const app = express();
    app.get('/', async ({ headers }, response) => {
      response.send(await show(String(headers['x-forwarded-for'] ?? '::1')));
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      return await runOn(`http://shop.localhost:${(server.address() as AddressInfo).port}`, sqlTime);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
  const vulnerable = await result((from) => quietly(`INSERT INTO visits VALUES (4, '${from}')`));
  assert.equal(places(vulnerable), ['GET / X-Forwarded-For'], vulnerable.outcome.reason);
  const patched = await result((from) => quietly('INSERT INTO visits VALUES (4, $1)', [from]));
  assert.equal(places(patched), [], patched.outcome.reason);
});

const clean: [string, string, Show][] = [
  ['a stored value', '/note?from=list', (from) => quietly('INSERT INTO visits VALUES (3, $1)', [from])],
  ['a bound value', '/note?page=home', (page) => quietly('SELECT id FROM visits WHERE page = $1', [page])],
  [
    'a page that is slow for the words of a database',
    '/note?page=home',
    async (page) => {
      await pause(/sleep|waitfor/i.test(page) ? 1_800 : 0);
      return '<p>Noted</p>';
    },
  ],
];

for (const [what, link, show] of firstRows(clean, 2)) {
  test(`${what} is clean`, async () => {
    const result = await found(link, show);
    assert.equal([result.outcome.kind, places(result)], ['clean', []], result.outcome.reason);
  });
}

test('what the page shows anyway is left to the other checks', async () => {
  const result = await found('/note?id=1', async (id) => {
    const { rows } = await pool.query(`SELECT page FROM visits WHERE id = ${id}`);
    return rows.map(({ page }) => `<li>Visited: ${page}</li>`).join('');
  });
  assert.is(result.findings.length, 0);
});

all.run();
