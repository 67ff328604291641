import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { idorWrite } from '../../../../workflows/checks/access/idor-write.check.ts';
import { gainedName } from '../../../../workflows/model/gained-name.ts';
import { people, visitor } from '../../../fixtures/accounts.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { check, openAudit, stored, type TestIdentity } from '../harness.ts';

const test = suite('access.idor-write');

type Name = 'ann' | 'bob';
type Order = { id: string; owner: Name; street: string | null; total: number };

type Design = {
  /** Whose object a change goes to; none when it is refused. */
  target(asked: Order, writer: Name | undefined, method: string): Name | undefined;
  /** Objects are accounts, which a description alone names. */
  areAccounts?: boolean;
  /** Both are led to all of them. */
  areShared?: boolean;
  /** The street of both, in accounts that the audit has opened. */
  equal?: string | null;
};

const names: Record<string, Name> = { [people.ann.name]: 'ann', [people.bob.name]: 'bob' };
const start = (): Order[] => [
  { id: '4711', owner: 'ann', street: '14 "Harbour" Lane', total: 12 },
  { id: '5810', owner: 'bob', street: '3 Mill Road', total: 30 },
];

const startOf = ({ equal }: Design): Order[] =>
  start().map((order) => ({ ...order, street: equal === undefined ? order.street : equal }));

function site(design: Design) {
  const { target, areAccounts = false, areShared = false } = design;
  const orders = startOf(design);
  const changes: string[] = [];
  const idOf = ({ id, owner }: Order) => (areAccounts ? owner : id);
  const folder = areAccounts ? '/api/users' : '/api/orders';
  const handler: Handler = (request) => {
    const { path, method } = request;
    const reader = names[visitor(request)?.name ?? ''];
    if (path === '/') return html('<a href="/openapi.json">API</a> <a href="/account">Account</a>');
    if (path === '/openapi.json') {
      const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', example: 'example-99' } };
      const get = { parameters: [id], responses: { 200: { description: 'ok' } } };
      return areAccounts
        ? json({ openapi: '3.0.1', info: { title: 'A', version: '1' }, paths: { [`${folder}/{id}`]: { get } } })
        : undefined;
    }
    if (path === '/me') return reader ? json({ username: reader }) : json({}, 401);
    if (path === '/account') {
      const own = orders.filter(({ owner }) => areShared || owner === reader);
      return reader
        ? html(
            `<p>Signed in</p>${areAccounts ? '' : own.map((order) => `<a href="${folder}/${order.id}">Order</a>`).join('')}`,
          )
        : html('no', 401);
    }
    const asked = orders.find((order) => path === `${folder}/${idOf(order)}`);
    if (!asked) return undefined;
    if (method === 'GET') return reader === asked.owner || areShared ? json({ ...asked }) : json({ error: 'no' }, 403);
    const whose = target(asked, reader, method);
    const order = orders.find(({ owner }) => owner === whose);
    if (!order) return json({ error: 'no' }, 403);
    const { street } = JSON.parse(request.body);
    changes.push(`${method} ${order.owner} by ${reader ?? 'nobody'}`);
    order.street = street;
    return json({ ...order });
  };
  return { handler, orders, changes };
}

const identities = (
  [
    ['A', people.ann, 'ann'],
    ['B', people.bob, 'bob'],
  ] as const
).map(([name, { session }, marker]): TestIdentity => ({ name, cookies: { sid: session }, checkPath: '/me', marker }));

const registered = identities.map((each, index) => ({ ...each, name: gainedName('registered', index) }));

async function result(design: Design) {
  const { handler, orders, changes } = site(design);
  const running = await startSite(handler);
  const own = design.equal === undefined ? { identities } : { identities: registered, writes: 'create' as const };
  const audit = await openAudit(running.url, { ...own, startPaths: ['/account'] });
  try {
    const found = await check(audit, idorWrite);
    return { ...found, orders, changes, writes: audit.writes, undone: audit.undone };
  } finally {
    await audit.close();
    await running.close();
  }
}

const anybody: Design['target'] = ({ owner }, writer, method) => (writer && method === 'PATCH' ? owner : undefined);

for (const [what, design] of firstRows(
  Object.entries({
    'an object that only its owner is led to': { target: anybody },
    'the account of another user': { target: anybody, areAccounts: true },
  }),
  1,
)) {
  test(`${what} that another user changes is found, announced and put back`, async () => {
    const found = await result(design);
    assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
    assert.equal([found.findings[0]?.location?.method, found.findings[0]?.location?.parameter], ['PATCH', 'street']);
    assert.equal(found.orders, start());
    assert.ok(found.changes.includes('PATCH ann by bob') && !found.changes.some((change) => change.includes('bob by')));
    assert.ok(found.writes.length >= found.changes.length);
    assert.is(found.undone.length, found.writes.length);
    assert.not.match(stored(found), /Harbour|Mill Road|session-of/);
  });
}

for (const equal of firstRows([null, '', 'none'], 1))
  further(test)(
    `the equal text ${JSON.stringify(equal)} of accounts of the audit's own is recognised by a mark`,
    async () => {
      const design = { target: anybody, equal };
      const found = await result(design);
      assert.equal([found.outcome.kind, found.findings.length], ['found', 1], found.outcome.reason);
      assert.equal(found.orders, startOf(design));
      assert.is(found.undone.length, found.writes.length);
    },
  );

const clean: Record<string, Design> = {
  'that lets owners alone change them': { target: ({ owner }, writer) => (owner === writer ? owner : undefined) },
  'that changes the object of whoever asks, whatever the address says': { target: (_asked, writer) => writer },
  'that takes no changes': { target: () => undefined },
  'whose objects are shared by all users': { target: anybody, areShared: true },
  'that lets everybody change everything, without a login too': { target: ({ owner }) => owner },
};

for (const [which, design] of firstRows(Object.entries(clean), 1))
  for (const tried of firstRows([design, { ...design, equal: null }], 1))
    test(`a site ${which} is clean here, and its objects are as they were${'equal' in tried ? ', with equal texts' : ''}`, async () => {
      const found = await result(tried);
      assert.is(found.findings.length, 0, found.outcome.reason);
      assert.equal(found.orders, startOf(tried));
      assert.is(found.undone.length, found.writes.length);
    });

test.run();
