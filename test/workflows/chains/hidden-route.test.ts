import { toBinary } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProofSchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { hiddenRoute } from '../../../workflows/chains/hidden-route.step.ts';
import { openapiPublic } from '../../../workflows/checks/exposure/openapi-public.check.ts';
import { sourceMap } from '../../../workflows/checks/exposure/source-map.check.ts';
import { type Answer, type Handler, html, json, type Request, startSite } from '../../fixtures/site.ts';
import { firstRows, further } from '../../support/further.ts';
import { chainsOn } from '../checks/chain-harness.ts';
import type { TestIdentity } from '../checks/harness.ts';

const test = suite('the chain from a leaked route to the data of others');

const customers = [
  { session: 'session-of-ann-1f3a9c', name: 'Ann Archer', mail: 'ann@northwind.example', street: '14 Mill Lane' },
  { session: 'session-of-bob-77b2e0', name: 'Bob Baker', mail: 'bob@northwind.example', street: '3 Orchard Rise' },
] as const;
type Customer = (typeof customers)[number];
const [ann, bob] = customers;

const visitor = ({ cookies, headers }: Request): Customer | undefined => {
  const session = cookies.sid ?? headers.authorization?.replace(/^Bearer /, '');
  return customers.find((each) => each.session === session);
};

const account = (customer: Customer | undefined, more: string): Answer =>
  customer
    ? html(
        `<h1>Signed in</h1><dl><dd>${customer.name}</dd><dd>${customer.mail}</dd><dd>${customer.street}</dd></dl>${more}`,
      )
    : html('sign in', 401);

/** Who asks for something that has an owner, and what it is. */
type Guard = (reader: Customer | undefined, owner: Customer, body: object) => Answer;
const signIn = json({ error: 'sign in' }, 401);
const forOwner: Guard = (reader, owner, body) =>
  reader === owner ? json(body) : reader ? json({ error: 'no such thing' }, 404) : signIn;
const forEveryUser: Guard = (reader, _owner, body) => (reader ? json(body) : signIn);

const map = (source: string): Answer =>
  json({ version: 3, mappings: '', names: [], sources: ['../src/api.js'], sourcesContent: [source] });

/** A shop with pages, whose script names a route for invoices in its source map. */
const pagesShop =
  (guard: Guard, source = 'export const load = (orderId) => fetch(`/api/invoices/$'.concat('{orderId}`);')): Handler =>
  (request) => {
    const { path } = request;
    const reader = visitor(request);
    const orders = { '4711': ann, '4712': ann, '5810': bob, '5811': bob };
    const [, kind, id = ''] = /^\/(orders|api\/invoices)\/(\d+)$/.exec(path) ?? [];
    const owner = orders[id as keyof typeof orders];
    if (path === '/') return html('<a href="/account">Account</a><script src="/app.js"></script>');
    if (path === '/app.js')
      return { headers: { 'content-type': 'text/javascript' }, body: 'go();\n//# sourceMappingURL=app.js.map' };
    if (path === '/app.js.map') return map(source);
    if (path === '/account') {
      const own = Object.entries(orders).flatMap(([order, of]) => (of === reader ? order : []));
      return account(reader, own.map((order) => `<a href="/orders/${order}">${order}</a>`).join(''));
    }
    if (!owner) return undefined;
    if (kind === 'orders') return reader === owner ? html(`<h1>Order ${id}</h1><p>Oak table</p>`) : html('no', 404);
    const body = { number: `LH-2026-${id}`, cents: 8_900, billedTo: { name: owner.name, street: owner.street } };
    return guard(reader, owner, body);
  };

/** A bank of JSON alone, with bearers, whose description names a route for statements. */
const jsonBank =
  (guard: Guard, described: (document: object) => Answer = (document) => json(document)): Handler =>
  (request) => {
    const { path, query } = request;
    const reader = visitor(request);
    const accounts = { f3b1c2d4e5a69788: ann, '0a9b8c7d6e5f4312': bob };
    const owner = accounts[(query.get('accountId') ?? '') as keyof typeof accounts];
    if (path === '/') return html('<a href="/v2/me">me</a><a href="/v2/accounts">accounts</a>');
    if (path === '/openapi.json')
      return described({
        openapi: '3.0.3',
        servers: [{ url: '/v2' }],
        paths: {
          '/accounts': { get: {} },
          '/statement': { get: { parameters: [{ name: 'accountId', in: 'query' }] } },
          '/cards/{id}': { post: {} },
        },
      });
    if (path === '/v2/me') return reader ? json({ ...reader, session: undefined, note: 'Signed in' }) : signIn;
    if (path === '/v2/accounts') {
      const own = Object.entries(accounts).flatMap(([id, of]) => (of === reader ? { id, currency: 'EUR' } : []));
      return reader ? json({ items: own }) : signIn;
    }
    if (path !== '/v2/statement' || !owner) return undefined;
    return guard(reader, owner, { holder: owner.name, contact: owner.mail, lines: ['Rent 2026-02', 'Salary 2026-02'] });
  };

const byCookie = (customer: Customer, name: string): TestIdentity => ({
  ...{ name, checkPath: '/account', marker: 'Signed in' },
  cookies: { sid: customer.session },
});
const byBearer = (customer: Customer, name: string): TestIdentity => ({
  ...{ name, checkPath: '/v2/me', marker: 'Signed in' },
  headers: [['Authorization', `Bearer ${customer.session}`]],
});
const cookies = [byCookie(ann, 'A'), byCookie(bob, 'B')];
const bearers = [byBearer(ann, 'A'), byBearer(bob, 'B')];

async function held(handler: Handler, identities: TestIdentity[], startPaths = ['/account']) {
  const site = await startSite(handler);
  try {
    const { held: chains } = await chainsOn(site.url, [sourceMap, openapiPublic], [hiddenRoute], {
      identities,
      startPaths,
    });
    return { chains, requests: site.requests };
  } finally {
    await site.close();
  }
}

type Chains = Awaited<ReturnType<typeof held>>['chains'];
const waysOf = (chains: Chains): string[] =>
  chains.map(({ goal, links }) => [goal, ...links.map(({ actionId }) => actionId)].join(' > '));
const locationOf = ([chain]: Chains) => chain?.replayed.at(-1)?.place.candidate.location;

test('a route of a source map shows one customer the invoices of another', async () => {
  const { chains } = await held(pagesShop(forEveryUser), cookies);
  assert.equal(waysOf(chains), ["read(other user's data) > exposure.source-map > chains.hidden-route"]);
  const { url = '', parameter, parameterIn } = locationOf(chains) ?? {};
  assert.match(url, /\/api\/invoices\/\d{4}$/);
  assert.equal([parameter, parameterIn], ['orderId', 'path']);
});

further(test)(
  'a route of a description shows one user the statement of another, by an identifier from a list',
  async () => {
    const { chains } = await held(jsonBank(forEveryUser), bearers);
    assert.equal(waysOf(chains), ["read(other user's data) > exposure.openapi-public > chains.hidden-route"]);
    const { url = '', parameter, parameterIn } = locationOf(chains) ?? {};
    assert.match(url, /\/v2\/statement\?accountId=[0-9a-f]{16}$/);
    assert.equal([parameter, parameterIn], ['accountId', 'query']);
  },
);

further(test)('a base that the source names elsewhere is put before its routes', async () => {
  const source = "const apiBase = '/api';\n$.get(apiBase + '/invoices/' + order.id, show);";
  const { chains } = await held(pagesShop(forEveryUser, source), cookies);
  assert.is(chains.length, 1);
});

further(test)('nothing that is stored holds a session or what was read', async () => {
  const { chains } = await held(jsonBank(forEveryUser), bearers);
  const proofs = chains.flatMap(({ replayed }) => replayed.map(({ place }) => place.proof));
  const kept = proofs.map((proof) => Buffer.from(toBinary(ProofSchema, proof)).toString('latin1')).join();
  assert.ok(kept.length > 0);
  assert.not.match(kept, /session-of-|@northwind|Ann Archer|Bob Baker|Salary/);
});

/** A catalogue for members whose pieces have the numbers of orders, by chance. */
const catalogue: Guard = (reader, owner) =>
  reader ? json({ name: owner === ann ? 'Oak table of 1962' : 'Brass lamp of 1971', cents: 8_900 }) : signIn;

const clean: Record<string, [handler: Handler, identities: TestIdentity[]]> = {
  'invoices are for their owners': [pagesShop(forOwner), cookies],
  'statements are for their owners': [jsonBank(forOwner), bearers],
  'others are refused with status 200': [
    pagesShop((reader, owner, body) => (reader ? json(reader === owner ? body : { error: 'not yours' }) : signIn)),
    cookies,
  ],
  'the answer is public': [pagesShop((_reader, _owner, body) => json(body)), cookies],
  'the answer is the reader’s own, whatever is asked for': [
    pagesShop((reader) => (reader ? json({ billedTo: { name: reader.name, street: reader.street } }) : signIn)),
    cookies,
  ],
  'all members see all pieces': [pagesShop(catalogue), cookies],
  'the source map names no route of objects': [pagesShop(forEveryUser, "fetch('/api/invoices')"), cookies],
  'the source map is not served': [
    (request) => (request.path.endsWith('.map') ? undefined : pagesShop(forEveryUser)(request)),
    cookies,
  ],
  'the description asks who it is': [jsonBank(forEveryUser, (document) => json(document, 401)), bearers],
  'the route would do something': [pagesShop(forEveryUser, "get('/api/invoices/' + id + '/delete')"), cookies],
};

for (const [what, [handler, identities]] of firstRows(Object.entries(clean), 2)) {
  further(test)(`there is no chain where ${what}`, async () => {
    const { chains } = await held(handler, identities);
    assert.equal(waysOf(chains), []);
  });
}

test('a route that pages lead to is not hidden', async () => {
  const linked: Handler = (request) => {
    const answer = pagesShop(forEveryUser)(request);
    return request.path === '/account' && answer?.status === 200
      ? { ...answer, body: String(answer.body).replaceAll('/orders/', '/api/invoices/') }
      : answer;
  };
  const { chains } = await held(linked, cookies);
  assert.equal(waysOf(chains), []);
});

test('one user alone shows nothing, and nothing is asked of the route', async () => {
  const { chains, requests } = await held(pagesShop(forEveryUser), cookies.slice(0, 1));
  assert.equal(waysOf(chains), []);
  assert.not.ok(requests.some((line) => line.includes('/api/invoices/')));
});

test.run();
