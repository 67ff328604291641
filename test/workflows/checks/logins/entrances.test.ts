import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nosqlLoginBypass } from '../../../../workflows/checks/auth/nosql-login-bypass.check.ts';
import { sqlLoginBypass } from '../../../../workflows/checks/auth/sql-login-bypass.check.ts';
import { html, startSite } from '../../../fixtures/site.ts';
import { further } from '../../../support/further.ts';
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
  further(test)(`is tried on a test system: ${secret}`, async () => {
    const weak = await found(joined, secret, 'create');
    assert.equal(weak.kind, 'found');
    assert.ok(weak.places[0]?.startsWith('POST /part/7 '), String(weak.places));
    assert.is((await found(bound, secret, 'create')).kind, 'clean');
  });

test('is not sent elsewhere', async () => {
  const kept = await found(joined, '<input name=pin value=1>', 'reversible');
  assert.equal([kept.kind === 'found', kept.posts], [false, []]);
});

/** A query by example, whose values are what a query string makes of them: "pin[$ne]=x" is an operator. */
const matches = (isStrict: boolean) => (sent: URLSearchParams) =>
  ['name', 'pin'].every((field) => {
    const [key, value] = [...sent].find(([name]) => name.startsWith(field)) ?? ['', ''];
    const operator = isStrict ? undefined : /\[\$(\w+)\]$/.exec(key)?.[1];
    const own = field === 'name' ? 'ina' : '7741';
    if (operator === 'ne') return own !== value;
    return operator === 'gt' ? own > value : operator === undefined && own === value;
  });

/** Two entrances. The page of the first, which gives a token, is not shown any more once it was used. */
async function foundByOperators(isStrict: boolean) {
  const fields = '<input name=name value=tom><input type=password name=pin value=1><button>Send</button>';
  let wasUsed = false;
  const site = await startSite(({ path, method, body }) => {
    if (path === '/') return html('<a href="/gate">gate</a> <a href="/desk">desk</a>');
    if (path !== '/gate' && path !== '/desk') return undefined;
    if (method !== 'POST' && path === '/gate' && wasUsed) return { closes: true };
    const token = path === '/gate' ? '<input type=hidden name=csrf_token value=k38fj3k20dk3k4jd93kd>' : '';
    if (method !== 'POST') return html(`<form method=post>${token}${fields}</form>`);
    wasUsed ||= path === '/gate';
    return html(
      path === '/desk' && matches(isStrict)(new URLSearchParams(body)) ? '<p>Welcome on board</p>' : '<p>Wrong</p>',
    );
  });
  try {
    return places(await runOn(site.url, nosqlLoginBypass, { depth: 'deep', writes: 'create' }));
  } finally {
    await site.close();
  }
}

further(test)('takes operators on a test system, and goes on behind one that breaks', async () => {
  assert.equal(
    (await foundByOperators(false)).map((each) => each.split(' ')[1]),
    ['/desk'],
  );
  assert.equal(await foundByOperators(true), []);
});

for (const [find, kind] of [
  [joined, 'found'],
  [bound, 'clean'],
] as const)
  test(`an answer of a word with a cookie lets somebody in where others are refused by their status: ${kind}`, async () => {
    const form =
      '<form method=post action=/session><input name=name><input type=password name=pin><button>Log in</button></form>';
    const plain = { 'content-type': 'text/plain' };
    const site = await startSite(({ path, method, body }) => {
      if (path === '/') return html(form);
      if (path !== '/session' || method !== 'POST') return undefined;
      const sent = new URLSearchParams(body);
      const refusal = { status: 401, headers: plain, body: 'no' };
      try {
        const row = find(sent.get('name') ?? '', sent.get('pin') ?? '');
        return row ? { headers: { ...plain, 'set-cookie': `sid=${randomUUID()}; Path=/` }, body: 'ok' } : refusal;
      } catch {
        return refusal;
      }
    });
    try {
      const { outcome } = await runOn(site.url, sqlLoginBypass, { depth: 'deep', writes: 'create' });
      assert.is(outcome.kind, kind);
    } finally {
      await site.close();
    }
  });

test.run();
