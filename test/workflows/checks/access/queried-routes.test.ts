import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorRead } from '../../../../workflows/checks/access/idor-read.check.ts';
import { ownerOf, type Person, people, visitor } from '../../../fixtures/accounts.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { startQueriedClaims } from '../../../scorecard/sites/queried-claims.ts';
import { testBrowsers } from '../../../support/browsers.ts';
import { check, openAudit, places, runOn, stored, type TestIdentity } from '../harness.ts';

const test = suite('queries of GraphQL for an object');

const byCookie = (person: Person, name: string): TestIdentity => ({
  ...{ name, role: 'user', cookies: { sid: person.session } },
  ...{ checkPath: '/account', marker: person.name },
});

async function result(handler: Handler) {
  const site = await startSite(handler);
  const identities = [byCookie(people.ann, 'A'), byCookie(people.bob, 'B')];
  try {
    return await runOn(site.url, idorRead, { identities, startPaths: ['/account'] });
  } finally {
    await site.close();
  }
}

const named = (kind: string, name: string) => ({ kind, name, ofType: null });
const listOf = (ofType: object) => ({ kind: 'LIST', name: null, ofType });
const fieldsOf = (types: Record<string, object>) =>
  Object.entries(types).map(([name, type]) => ({ name, args: [] as object[], type }));
const queryType = [
  ...fieldsOf({ myOrders: listOf(named('OBJECT', 'Order')) }),
  { name: 'order', args: [{ name: 'id', type: named('SCALAR', 'ID') }], type: named('OBJECT', 'Order') },
];
const orderType = fieldsOf({ id: named('SCALAR', 'ID'), address: named('SCALAR', 'String') });
const schema = {
  ...{ queryType: { name: 'Query' }, mutationType: null },
  types: [
    { kind: 'OBJECT', name: 'Query', fields: queryType },
    { kind: 'OBJECT', name: 'Order', fields: orderType },
    { kind: 'SCALAR', name: 'ID' },
    { kind: 'SCALAR', name: 'String' },
  ],
};

/** Answers queries only where they are posted. */
const queried =
  (mayRead: (order: string, reader: Person) => boolean): Handler =>
  (request) => {
    const reader = visitor(request);
    if (request.path === '/') return html('<a href="/account">Account</a> <a href="/about.json">About</a>');
    if (request.path === '/about.json') return json({ about: 'oak furniture' });
    if (request.path === '/account') return reader ? html(`<p>${reader.name}</p>`) : html('No', 401);
    if (request.path !== '/graphql' || request.method !== 'POST') return undefined;
    const { query = '', variables = {} } = JSON.parse(request.body) as { query?: string; variables?: { id?: string } };
    if (query.includes('__schema')) return json({ data: { __schema: schema } });
    if (!reader) return json({ errors: [{ message: 'log in' }] }, 401);
    const orderOf = (id: string) => ({ id, address: `${id.slice(-2)} Harbour Street, Unit ${Number(id) % 97}` });
    if (query.includes('myOrders')) return json({ data: { myOrders: reader.orders.map(orderOf) } });
    const order = String(variables.id);
    return json({ data: { order: ownerOf(order) && mayRead(order, reader) ? orderOf(order) : null } });
  };

test('an object that a query of GraphQL is for, by a number that another one lists, is found', async () => {
  const found = await result(queried(() => true));
  assert.is(found.outcome.kind, 'found', found.outcome.reason);
  assert.match(found.findings[0]?.location?.url ?? '', /\/graphql/);
  assert.match(stored(found), /-X POST|--data|-d /);
  assert.is((await result(queried((order, reader) => ownerOf(order) === reader))).outcome.kind, 'clean');
});

const browsers = testBrowsers();
test.after(() => browsers.close());

test('an object that a page asks for when an entry is pressed, by a short code, is found, without a description', async () => {
  for (const [variant, expected] of [
    ['vulnerable', ['GET /graphql variables']],
    ['patched', []],
  ] as const) {
    const site = await startQueriedClaims(variant);
    const audit = await openAudit(site.url, { browsers, ...site.options });
    try {
      const found = await check(audit, idorRead);
      assert.equal([...new Set(places(found))], expected, found.outcome.reason);
    } finally {
      await audit.close();
      await site.close();
    }
  }
});

test.run();
