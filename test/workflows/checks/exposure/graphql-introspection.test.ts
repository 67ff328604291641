import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { graphqlIntrospection } from '../../../../workflows/checks/exposure/graphql-introspection.check.ts';
import { html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('exposure.graphql-introspection');

type Reply = { status?: number; body: unknown };
type Endpoint = (path: string, query: string) => Reply | undefined;

/** A site with a form of GraphQL; every other path, and every GET, has a page. */
async function result(endpoint: Endpoint, home = 'hello') {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const query = request.method === 'POST' ? String(JSON.parse(body || '{}').query ?? '') : '';
    const reply = request.method === 'POST' ? endpoint(request.url ?? '', query) : undefined;
    if (!reply) return response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(home);
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' });
    return response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await runOn(`http://shop.localhost:${(server.address() as AddressInfo).port}`, graphqlIntrospection);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const schema = { data: { __schema: { queryType: { name: 'Query' }, types: [{ kind: 'OBJECT', name: 'Order' }] } } };
const answer = (query: string): Reply =>
  query.includes('__schema') ? { body: schema } : { body: { data: { __typename: 'Query' } } };

test('an endpoint that takes queries in its address alone is found', async () => {
  const site = await startSite(({ method, path, query }) => {
    if (path === '/') return html('hello');
    if (path !== '/graphql') return undefined;
    const asked = method === 'GET' ? query.get('query') : null;
    return asked === null ? json({ errors: [{ message: 'GET only' }] }, 405) : json(answer(asked).body);
  });
  try {
    assert.equal(places(await runOn(site.url, graphqlIntrospection)), ['GET /graphql']);
  } finally {
    await site.close();
  }
});

test('an endpoint at the usual place is found', async () => {
  const found = await result((path, query) => (path === '/graphql' ? answer(query) : undefined));
  assert.equal([found.outcome.kind, places(found)], ['found', ['POST /graphql']], found.outcome.reason);
});

test('an endpoint that a script of the site names is found', async () => {
  const home = '<script>fetch("/internal/graphql", { method: "POST" })</script>';
  const found = await result(
    (path, query) =>
      path === '/internal/graphql' ? { body: `\n${JSON.stringify(answer(query).body, null, 2)}` } : undefined,
    home,
  );
  assert.equal(places(found), ['POST /internal/graphql']);
});

test('paths that answer with one schema are places of one finding, and another schema is a finding of its own', async () => {
  const other = JSON.parse(JSON.stringify(schema).replace('Order', 'Invoice'));
  const found = await result((path, query) => {
    if (path === '/api' && query.includes('__schema')) return { body: other };
    return /^\/graphql(?:\/|$)|^\/api$/.test(path) ? answer(query) : undefined;
  });
  assert.equal(places(found).sort(), ['POST /api', 'POST /graphql'], found.outcome.reason);
  const paths = found.findings.map(({ locations }) =>
    locations?.map(({ url }) => URL.parse(url ?? '')?.pathname).sort(),
  );
  assert.equal(
    paths.sort((one = [], two = []) => one.length - two.length),
    [['/api'], ['/graphql', '/graphql/api', '/graphql/v1']],
  );
});

const clean: Record<string, Endpoint> = {
  'has none': () => undefined,
  'has introspection switched off': (_path, query) =>
    query.includes('__schema')
      ? {
          status: 400,
          body: { errors: [{ message: 'GraphQL introspection is not allowed, but the query contained __schema' }] },
        }
      : { body: { data: { __typename: 'Query' } } },
  'refuses introspection with status 200': (_path, query) => ({
    body: { data: null, errors: [{ message: `no ${query}` }] },
  }),
  'answers everything with a schema': () => ({ body: schema }),
  'repeats what it is sent': (_path, query) => ({ body: { data: { query } } }),
  'asks who it is first': () => ({ status: 401, body: schema }),
};

for (const [what, endpoint] of firstRows(Object.entries(clean), 2)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(endpoint);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test.run();
