import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { type Answer, type Handler, html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
import { type AuditOptions, places, runOn } from '../harness.ts';

const test = suite('names of fields as inputs');

const database = new DatabaseSync(':memory:');
database.exec("create table people(name text, city text); insert into people values ('ada', 'Bonn'), ('bob', 'Graz')");

const form = html(
  '<form method="post" action="/pick"><label><input type="checkbox" name="ada" value="chosen" checked> Ada</label><input type="hidden" name="way" value="short"><button>Go</button></form>',
);

const ofProgram = html(
  '<form method="post" action="/pick"><input name="ada" value="pick"><input type="hidden" name="way" value="short"><button>Go</button></form>',
);

type Pick = { page?: Answer; value?: string; failure?: Answer };

/** @param rowsFor what is found for the name of the field that has the value "chosen" */
async function audit(
  rowsFor: (name: string) => Record<string, unknown>[],
  options: AuditOptions,
  { page = form, value = 'chosen', failure = html('<p>That did not work.</p>') }: Pick = {},
) {
  const names = new Set<string>();
  const handler: Handler = ({ path, method, body }) => {
    if (path === '/') return page;
    if (path !== '/pick' || method !== 'POST') return undefined;
    const fields = [...new URLSearchParams(body)];
    for (const [name] of fields) names.add(name);
    const chosen = fields.find(([, each]) => each === value)?.[0] ?? '';
    try {
      const rows = rowsFor(chosen);
      return html(rows.length === 0 ? '<p>Nobody.</p>' : rows.map(({ city }) => `<p>Lives in ${city}</p>`).join(''));
    } catch {
      return failure;
    }
  };
  const site = await startSite(handler);
  try {
    const result = await runOn(site.url, sqlBoolean, { depth: 'deep', ...options });
    return { found: places(result), strange: [...names].filter((name) => !['ada', 'way'].includes(name)).length };
  } finally {
    await site.close();
  }
}

const joined = (name: string) => database.prepare(`select city from people where name = '${name}'`).all();
const bound = (name: string) => database.prepare('select city from people where name = ?').all(name);

test('are found where a query is made of one', async () => {
  const { found } = await audit(joined, { writes: 'create' });
  assert.is(found.length, 1);
  assert.match(found[0] ?? '', 'name of ada');
});

further(test)(
  'are found where the field has the name of the program as its value, and nothing shows of a name that is not known',
  async () => {
    const pick = { page: ofProgram, value: 'pick', failure: html('<p>Nobody.</p>') };
    assert.match((await audit(joined, { writes: 'create' }, pick)).found[0] ?? '', 'name of ada');
    assert.equal((await audit(bound, { writes: 'create' }, pick)).found, []);
  },
);

test('are no finding where a query takes one as a value, and get few requests', async () => {
  const { found, strange } = await audit(bound, { writes: 'create' });
  assert.equal(found, []);
  assert.ok(strange <= 4, `${strange} names`);
});

further(test)('are not sent where entries may not stay', async () => {
  const { found, strange } = await audit(joined, { writes: 'reversible' });
  assert.equal([found, strange], [[], 0]);
});

test.run();
