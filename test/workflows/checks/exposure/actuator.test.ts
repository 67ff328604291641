import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { actuator } from '../../../../workflows/checks/exposure/actuator.check.ts';
import { type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn, stored } from '../harness.ts';

const test = suite('exposure.actuator');

async function run(handler: Handler) {
  const site = await startSite(handler);
  try {
    return { result: await runOn(site.url, actuator), requests: site.requests };
  } finally {
    await site.close();
  }
}

/** As Spring Boot answers. */
const answers: Record<string, unknown> = {
  env: {
    activeProfiles: ['prod'],
    propertySources: [{ name: 'systemEnvironment', properties: { DB_HOST: { value: 'db-internal-7' } } }],
  },
  mappings: {
    contexts: {
      application: { mappings: { dispatcherServlets: { dispatcherServlet: [{ handler: 'shop.Orders' }] } } },
    },
  },
  httpexchanges: {
    exchanges: [
      { timestamp: '2026-01-01T00:00:00Z', request: { method: 'GET', headers: { cookie: ['SESSION=Zk91bX'] } } },
    ],
  },
  metrics: { names: ['jvm.memory.used', 'http.server.requests'] },
};

const serving =
  (base: string, open: readonly string[]): Handler =>
  ({ path }) => {
    const name = path.startsWith(base) ? path.slice(base.length) : '';
    if (name === 'health') return json({ status: 'UP' });
    return open.includes(name)
      ? json(answers[name])
      : path === '/'
        ? html('<a href="/shop/orders">x</a>')
        : path === '/shop/orders'
          ? html('x')
          : undefined;
  };

further(test)('open endpoints are one finding with its places, as grave as the gravest', async () => {
  const { result: found } = await run(serving('/actuator/', Object.keys(answers)));
  assert.equal([found.outcome.kind, places(found)], ['found', ['GET /actuator/httpexchanges']], found.outcome.reason);
  assert.equal([found.findings[0]?.locations?.length, found.findings[0]?.cvss?.score], [4, 7.5]);
  assert.not.match(stored(found), /db-internal-7|Zk91bX|shop\.Orders/);
});

test('an application below a folder, with another base, is found', async () => {
  const { result: found } = await run(serving('/shop/manage/', ['env']));
  assert.equal(places(found), ['GET /shop/manage/env']);
});

test('what would harm is never asked for', async () => {
  const { requests } = await run(serving('/actuator/', ['env']));
  assert.not.ok(requests.some((request) => /heapdump|shutdown|POST/.test(request)));
});

const clean: Record<string, Handler> = {
  'shows its health only': serving('/actuator/', []),
  'is not of Spring': ({ path }) => (path === '/' ? html('x') : undefined),
  'shows its home page for every path': () => html('"activeProfiles":[],"propertySources":[{"name":'),
  'answers every path with settings': () => json(answers.env),
  'has pages of the same names': ({ path }) =>
    path.startsWith('/manage/') ? json({ names: ['a'], env: 'prod' }) : html('x'),
  'asks who it is first': ({ path }) => (path.startsWith('/actuator/') ? json(answers.env, 401) : html('x')),
};

for (const [what, handler] of firstRows(Object.entries(clean), 2)) {
  test(`a site that ${what} is clean`, async () => {
    const { result: found } = await run(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

test.run();
