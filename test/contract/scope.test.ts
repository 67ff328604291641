import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows, further } from '../support/further.ts';
import { createOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('/api/v1/domains/:domain/scope', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

const domain = 'example.com';
const description = { openapi: '3.1.0', paths: { '/orders': { get: {} }, '/orders/{id}': { get: {}, delete: {} } } };
const content = JSON.stringify(description);
const scope = {
  startUrls: ['https://example.com/app'],
  excludedPaths: ['/admin'],
  requestsPerSecond: 5,
  headers: [{ name: 'X-Audit-Pass', value: 'canary-header' }],
  documents: [{ name: 'orders.json', content }],
  writes: 'none',
  headersOverHttp: true,
};

for (const way of firstRows(ways, 1)) {
  test(`${way}: stores all of it, shows neither values nor texts, and takes its own answer back`, async (world) => {
    const { key } = await createOrg(world);
    const put = await world[way]('DomainService/PutScope', { domain, scope }, { key });
    assert.is(put.reason, 'OK', put.text);
    assert.equal(put.body, {
      ...scope,
      headers: [{ name: 'X-Audit-Pass', value: '' }],
      documents: [{ name: 'orders.json', content: '', format: 'openapi', requests: 3 }],
    });
    const got = await world[way]('DomainService/GetScope', { domain }, { key });
    assert.equal(got.body, put.body);
    const again = await world[way]('DomainService/PutScope', { domain, scope: got.body }, { key });
    assert.equal(again.body, put.body);
  });

  test(`${way}: refuses a document that cannot be read, saying why`, async (world) => {
    const { key } = await createOrg(world);
    const documents = [{ name: 'a', content: '{"swagger":"1.2"}' }];
    const outcome = await world[way]('DomainService/PutScope', { domain, scope: { documents } }, { key });
    assertRefused(outcome, way, 'INVALID_PARAMETER');
    assert.is(fieldOf(outcome.body, 'errors.0.field'), 'scope.documents[0].content');
    assert.match(String(fieldOf(outcome.body, 'errors.0.message')), 'none of OpenAPI');
  });
}

test('writes are reversible unless the org says otherwise, and another word is refused by field', async (world) => {
  const { key } = await createOrg(world);
  const put = async (writes?: string) =>
    world.rest('DomainService/PutScope', { domain, scope: writes === undefined ? {} : { writes } }, { key });
  for (const [given, shown] of [
    [undefined, 'reversible'],
    ['create', 'create'],
    ['none', 'none'],
    ['reversible', 'reversible'],
  ] as const) {
    assert.is(fieldOf((await put(given)).body, 'writes'), shown);
    const got = await world.rest('DomainService/GetScope', { domain }, { key });
    assert.is(fieldOf(got.body, 'writes'), shown);
  }
  const refused = await put('everything');
  assertRefused(refused, 'rest', 'INVALID_BODY');
  assert.is(fieldOf(refused.body, 'errors.0.field'), 'scope.writes');
  assert.match(String(fieldOf(refused.body, 'errors.0.message')), 'none, reversible, create');
});

further(test)('a document of megabytes is read, and a body beyond the limit is not', async (world) => {
  const { key } = await createOrg(world);
  const large = content + ' '.repeat(6 * 1024 * 1024);
  const documents = [{ name: 'large', content: large }];
  const outcome = await world.rest('DomainService/PutScope', { domain, scope: { documents } }, { key });
  assert.is(fieldOf(outcome.body, 'documents.0.requests'), 3, outcome.text);
  const tooLarge = [{ name: 'large', content: ' '.repeat(12 * 1024 * 1024) }];
  const refused = await world.rest('DomainService/PutScope', { domain, scope: { documents: tooLarge } }, { key });
  assert.is(refused.status, 413);
  assert.match(refused.text, '12288 KiB');
});

test('a long body is read from those only who may send it', async (world) => {
  const reader = await createOrg(world, { scopes: ['scans:read'] });
  for (const [key, status] of [
    [undefined, 401],
    ['sa_unknown', 401],
    [reader.key, 403],
  ] as const) {
    const sent = request(`${world.baseUrl}/api/v1/domains/${domain}/scope`, {
      method: 'PUT',
      headers: {
        'content-type': 'application/json',
        'content-length': 8 * 1024 * 1024,
        ...(key && { authorization: `Bearer ${key}` }),
      },
    });
    // Nothing of the body is sent.
    sent.on('error', () => {}).flushHeaders();
    const late = sleep(10_000, undefined, { ref: false });
    const [answer] = (await Promise.race([once(sent, 'response'), late])) ?? [];
    assert.is(answer?.statusCode, status);
    sent.destroy();
  }
});

test.run();
