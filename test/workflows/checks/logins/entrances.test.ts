import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqlLoginBypass } from '../../../../workflows/checks/auth/sql-login-bypass.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { places, runOn } from '../harness.ts';

const test = suite('what may let somebody in, and says nothing of it');

const database = new DatabaseSync(':memory:');
database.exec("create table crew(name text, pin text); insert into crew values ('ina', '7741')");

type Find = (name: string, pin: string) => unknown;
const joined: Find = (name, pin) =>
  database.prepare(`select name from crew where name = '${name}' and pin = '${pin}'`).get();
const bound: Find = (name, pin) => database.prepare('select name from crew where name = ? and pin = ?').get(name, pin);

/** An exercise under a number, whose form has the values of somebody who is not there. */
async function found(find: Find, secret: string, writes: 'create' | 'reversible') {
  const site = await startSite(({ path, method, body }) => {
    if (path === '/') return html('<a href="/part/7">7</a>');
    if (path !== '/part/7') return undefined;
    if (method !== 'POST')
      return html(`<form method=post><input name=name value=tom>${secret}<button>Send</button></form>`);
    const sent = new URLSearchParams(body);
    try {
      return html(find(sent.get('name') ?? '', sent.get('pin') ?? '') ? '<p>Welcome on board</p>' : '<p>Wrong</p>');
    } catch {
      return html('<p>Wrong</p>');
    }
  });
  try {
    const result = await runOn(site.url, sqlLoginBypass, { depth: 'deep', writes });
    return {
      kind: result.outcome.kind,
      places: places(result),
      posts: site.requests.filter((each) => /^POST/.test(each)),
    };
  } finally {
    await site.close();
  }
}

for (const secret of ['<input name=pin value=1>', '<input type=password name=pin value=1>'])
  test(`is tried on a test system: ${secret}`, async () => {
    const weak = await found(joined, secret, 'create');
    assert.equal(weak.kind, 'found');
    assert.ok(weak.places[0]?.startsWith('POST /part/7 '), String(weak.places));
    assert.is((await found(bound, secret, 'create')).kind, 'clean');
  });

test('is not sent elsewhere', async () => {
  const kept = await found(joined, '<input name=pin value=1>', 'reversible');
  assert.equal([kept.kind === 'found', kept.posts], [false, []]);
});

test.run();
