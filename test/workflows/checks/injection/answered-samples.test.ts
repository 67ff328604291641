import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { check, openAudit, places, testBrowsers } from '../harness.ts';

const test = suite('values that an answer in JSON has for an input');
const browsers = testBrowsers();
test.after(() => browsers.close());

const script = `document.querySelector('button').onclick = () => fetch('/api/seeds', { method: 'POST', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ crop: document.querySelector('#crop').value, origin: document.querySelector('#origin').value }) })`;
const page = `<input id="crop"><input id="origin"><button>Find</button><script>${script}</script>`;

/** What is looked for beside the origin finds nothing where it is filled in by chance. */
function seeds(safety: 'concatenated' | 'bound'): Handler {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE seeds (crop, origin)');
  for (const row of [
    ['Barley', 'Tyrol'],
    ['Teff', 'Tigray'],
    ['Maize', 'Oaxaca'],
  ])
    database.prepare('INSERT INTO seeds VALUES (?, ?)').run(...row);
  return ({ path, method, body }) => {
    if (path === '/') return html(page);
    if (path !== '/api/seeds' || method !== 'POST') return undefined;
    const { crop = '', origin = '' } = JSON.parse(body) as { crop?: string; origin?: string };
    const [where, values] =
      origin === '' ? ['', []] : safety === 'bound' ? [' AND origin = ?', [origin]] : [` AND origin = '${origin}'`, []];
    try {
      const found = database.prepare(`SELECT * FROM seeds WHERE crop LIKE ?${where}`).all(`%${crop}%`, ...values);
      return json({ items: found });
    } catch {
      return json({ items: [] });
    }
  };
}

async function resultOf(safety: 'concatenated' | 'bound') {
  const site = await startSite(seeds(safety));
  const audit = await openAudit(site.url, { depth: 'deep', writes: 'create', followsLeads: true, browsers });
  try {
    return await check(audit, sqlBoolean);
  } finally {
    await audit.close();
    await site.close();
  }
}

further(test)('show what a condition changes, where what is typed in beside it finds nothing', async () => {
  const found = await resultOf('concatenated');
  assert.equal([found.outcome.kind, places(found)], ['found', ['POST /api/seeds origin']], found.outcome.reason);
});

test('change nothing in a bound value', async () => {
  const found = await resultOf('bound');
  assert.equal([found.outcome.kind, places(found)], ['clean', []], found.outcome.reason);
});

test.run();
