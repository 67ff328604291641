import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allOperations, bodyFields, endpoints } from './support/operations.ts';
import { createOrg, type TestOrg } from './support/orgs.ts';
import { outcomeOf } from './support/rest.ts';
import { complete } from './support/scans.ts';
import { startWorld, type World } from './support/world.ts';

type Context = World & { org: TestOrg; runId: string };
const test = suite('HTTP', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld({ maxFailedKeysPerMinute: 30 }));
  context.org = await createOrg(context);
  context.runId = await complete(context, context.org);
});
test.after((world) => world.close());

const send = ({ baseUrl, org }: Context, path: string, init: RequestInit = {}) =>
  fetch(`${baseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${org.key}`, ...init.headers } });

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const routes = [...Object.values(endpoints), ...Object.values(bodyFields)];
const methodsOf = (path: string) =>
  routes.filter(([, other]) => other === path).flatMap(([method]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

for (const path of new Set(routes.map(([, path]) => path))) {
  test(`${path} answers 405 to every other method, and says which it has`, async (context) => {
    const filled = path.replace(':runId', context.runId).replace(':domain', 'example.com').replace(':name', 'a');
    const known = methodsOf(path);
    for (const method of allMethods.filter((other) => !known.includes(other))) {
      const answer = await send(context, filled, { method });
      assert.is(answer.status, 405, method);
      assert.equal(answer.headers.get('allow')?.split(', ').sort(), known.toSorted());
    }
  });
}

test('every endpoint is under /api/v1', () => {
  assert.is(allOperations.length, routes.length);
  for (const [, path] of routes) assert.ok(path.startsWith('/api/v1/'));
});

test('HEAD answers what GET would, without a body', async (context) => {
  for (const path of ['/api/v1/scans', `/api/v1/scans/${context.runId}`, `/api/v1/scans/${context.runId}/report`]) {
    const [head, get] = [await send(context, path, { method: 'HEAD' }), await send(context, path)];
    assert.is(head.status, get.status);
    assert.is(head.headers.get('content-type'), get.headers.get('content-type'));
    assert.is(head.headers.get('content-length'), get.headers.get('content-length'));
    assert.is(await head.text(), '');
  }
});

const json = { 'content-type': 'application/json' };
for (const [what, init, status, code] of [
  ['no JSON', { headers: json, body: 'url=example.com' }, 400, 'invalid_body'],
  ['an array', { headers: json, body: '["example.com"]' }, 400, 'invalid_body'],
  ['null', { headers: json, body: 'null' }, 400, 'invalid_body'],
  [
    'bytes that are not UTF-8',
    { headers: json, body: Buffer.from('7b2275726c223a22ff227d', 'hex') },
    400,
    'invalid_body',
  ],
  ['a repeated name', { headers: json, body: '{"url":"a.com","url":"example.com"}' }, 400, 'invalid_body'],
  ['a form', { body: new URLSearchParams({ url: 'example.com' }) }, 415, 'unsupported_media_type'],
  ['XML', { headers: { 'content-type': 'text/xml' }, body: '<url/>' }, 415, 'unsupported_media_type'],
  ['gzip', { headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' }, 415, 'unsupported_media_type'],
  ['more than 64 KiB', { headers: json, body: ' '.repeat(65_537) }, 413, 'content_too_large'],
] as const) {
  test(`a body that is ${what} is answered with ${status}`, async (context) => {
    const answer = await send(context, '/api/v1/scans', { method: 'POST', ...init });
    const outcome = await outcomeOf(answer);
    assert.is(outcome.status, status);
    assert.is(outcome.reason, code.toUpperCase());
  });
}

test('a body of nothing but faults gets an answer that is no longer than it needs to be', async (context) => {
  const names = Array.from({ length: 6_000 }, (_, index) => `"x${index}":1`);
  for (const body of [`{${names.join()}}`, `{"${'x'.repeat(60_000)}":1}`]) {
    const answer = await outcomeOf(await send(context, '/api/v1/scans', { method: 'POST', headers: json, body }));
    assert.is(answer.reason, 'UNKNOWN_FIELD');
    assert.ok(answer.text.length < 8_192, `${answer.text.length} characters`);
  }
});

test('a body of exactly 64 KiB is read', async (context) => {
  const body = `{"url":"example.com"}${' '.repeat(65_536 - 21)}`;
  assert.is((await send(context, '/api/v1/scans', { method: 'POST', headers: json, body })).status, 201);
});

test('JSON is accepted with a charset of UTF-8, and by any spelling of its type', async (context) => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"']) {
    const init = { method: 'POST', headers: { 'content-type': type }, body: '{"url":"example.com"}' };
    assert.is((await send(context, '/api/v1/scans', init)).status, 201, type);
  }
});

test('the request id of the caller goes through, and comes back', async (context) => {
  for (const path of ['/api/v1/scans', '/api/v1/scans/x', '/api/v1/scans?a=b', '/nowhere']) {
    const answer = await send(context, path, { headers: { 'x-request-id': 'pipeline-42' } });
    assert.is(answer.headers.get('x-request-id'), 'pipeline-42');
    await answer.body?.cancel();
  }
});

test('a flood without keys from an address does not shut out a valid key of that address', async (context) => {
  const statuses = new Set<number>();
  for (let sent = 0; sent < 40; sent += 1) statuses.add((await fetch(`${context.baseUrl}/api/v1/scans`)).status);
  assert.equal([...statuses], [401, 429]);
  assert.is((await send(context, '/api/v1/scans')).status, 200);
});

test.run();
