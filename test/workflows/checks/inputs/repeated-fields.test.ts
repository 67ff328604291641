import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlBoolean } from '../../../../workflows/checks/injection/sql-boolean.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('several fields of one name');

const database = new DatabaseSync(':memory:');
database.exec("create table people(name text, city text); insert into people values ('ada', 'Bonn'), ('bob', 'Graz')");
const joined = (name: string) => database.prepare(`select city from people where name = '${name}'`).all();
const bound = (name: string) => database.prepare('select city from people where name = ?').all(name);

/** Two names are asked for, of which the last one is looked up. */
async function found(method: 'get' | 'post', find: (name: string) => Record<string, unknown>[]): Promise<string[]> {
  const fields = '<input name="who" value="nobody"><input name="who" value="ada"><button>Search</button>';
  const site = await startSite(({ path, query, body }) => {
    if (path === '/') return html(`<form method="${method}" action="/find">${fields}</form>`);
    if (path !== '/find') return undefined;
    const name = (method === 'get' ? query : new URLSearchParams(body)).getAll('who')[1] ?? '';
    try {
      return html(
        find(name)
          .map(({ city }) => `<p>Lives in ${city}</p>`)
          .join('') || '<p>Nobody</p>',
      );
    } catch {
      return html('<p>Nobody</p>');
    }
  });
  try {
    return places(await runOn(site.url, sqlBoolean, { depth: 'deep', writes: 'create' }));
  } finally {
    await site.close();
  }
}

for (const method of firstRows(['get', 'post'] as const, 1))
  test(`are given the value each, so that the one that a statement is made of is found (${method})`, async () => {
    assert.equal(await found(method, joined), [`${method.toUpperCase()} /find who`]);
    assert.equal(await found(method, bound), []);
  });

test.run();
