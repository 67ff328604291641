import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Severity } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { openapiPublic } from '../../../../workflows/checks/exposure/openapi-public.check.ts';
import { type Answer, type Handler, html, json, startSite } from '../../../fixtures/site.ts';
import { firstRows, further } from '../../../support/further.ts';
import { places, runOn } from '../harness.ts';

const test = suite('exposure.openapi-public');

async function result(handler: Handler) {
  const site = await startSite(handler);
  try {
    return await runOn(site.url, openapiPublic);
  } finally {
    await site.close();
  }
}

const document = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: { '/orders': { get: {} } } };
const old = { swagger: '2.0', info: {}, basePath: '/', paths: { '/orders/{id}': {} } };
const yaml = {
  headers: { 'content-type': 'application/yaml' },
  body: '---\nopenapi: 3.0.3\ninfo:\n  title: Shop\npaths:\n  /orders:\n    get: {}\n',
};

const serving =
  (at: string, answer: Answer, home = 'hello'): Handler =>
  ({ path }) =>
    path === at ? answer : path === '/' ? html(home) : undefined;

const exposed: Record<string, [string, Answer, string?]> = {
  'of FastAPI': ['/openapi.json', json(document)],
  'of Spring, in the old form': ['/v2/api-docs', json(old)],
  'of Express': ['/api-docs/swagger.json', json(document)],
  'of Quarkus, in YAML': ['/q/openapi', yaml],
  'that the site links to': ['/help/shop-swagger.json', json(old), '<a href="/help/shop-swagger.json">API</a>'],
};

for (const [what, [at, answer, home]] of firstRows(Object.entries(exposed), 2)) {
  test(`a description ${what} is found, for information`, async () => {
    const found = await result(serving(at, answer, home));
    assert.equal([found.outcome.kind, places(found)], ['found', [`GET ${at}`]], found.outcome.reason);
    assert.is(found.findings[0]?.severity, Severity.INFO);
  });
}

test('routes of objects that no page leads to are a fact, whichever of the addresses it has', async () => {
  const paths = { '/orders': { get: {} }, '/invoices/{id}': { get: {} }, '/cards/{id}': { post: {} } };
  const found = await result(({ path }) => {
    if (path === '/') return html('hello');
    return path === '/openapi.json' || path === '/v3/api-docs' ? json({ ...document, paths }) : undefined;
  });
  assert.equal(
    found.facts.map(({ kind, subject, attributes }) => [kind, new URL(subject).pathname, attributes.routes]),
    [['hidden-routes', '/openapi.json', '/invoices/{id}']],
  );
});

const clean: Record<string, Handler> = {
  'has none': serving('/x', {}),
  'shows its home page for every path': () => html('"openapi": "3.0.0", "paths": {"/a"'),
  'answers every path with the description': () => json(document),
  'answers every path with JSON': () => json({ error: 'not found', paths: {} }),
  'has one without paths': serving('/openapi.json', json({ ...document, paths: {} })),
  'asks who it is first': serving('/openapi.json', json(document, 401)),
};

for (const [what, handler] of firstRows(Object.entries(clean), 2)) {
  test(`a site that ${what} is clean`, async () => {
    const found = await result(handler);
    assert.equal([found.outcome.kind, found.findings.length], ['clean', 0], found.outcome.reason);
  });
}

further(test)('a description is found where the page that shows it, or the script of that page, reads it', async () => {
  const found = await result(({ path }) => {
    if (path === '/') return html('<a href="/reference">Reference</a><a href="/handbook/">API</a>');
    if (path === '/reference') return html('<redoc spec-url="/files/v7.json"></redoc>');
    if (path === '/handbook/') return html('<div id="swagger-ui"></div><script src="swagger-initializer.js"></script>');
    if (path === '/handbook/swagger-initializer.js')
      return { headers: { 'content-type': 'text/javascript' }, body: 'SwaggerUIBundle({ url: "/handbook/json" })' };
    return path === '/files/v7.json' || path === '/handbook/json' ? json(document) : undefined;
  });
  const [{ locations = [] } = {}] = found.findings;
  assert.equal(locations.map(({ url = '' }) => new URL(url).pathname).toSorted(), ['/files/v7.json', '/handbook/json']);
});

test.run();
