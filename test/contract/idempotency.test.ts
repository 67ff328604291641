import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('Idempotency-Key', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

const request = { url: 'https://example.com/a' };
const withKey = (key: string, idempotencyKey: string) => ({ key, headers: { 'idempotency-key': idempotencyKey } });

for (const way of firstRows(ways, 1)) {
  test(`${way}: replays the first answer, and starts and charges once`, async (world) => {
    const { key } = await createOrg(world, { credits: 10 });
    const first = await world[way]('ScanService/StartScan', request, withKey(key, 'build-17'));
    assert.is(first.header('idempotency-replayed'), undefined);
    for (let repeat = 0; repeat < 3; repeat += 1) {
      const replay = await world[way]('ScanService/StartScan', request, withKey(key, 'build-17'));
      assert.is(replay.status, first.status);
      assert.equal(replay.body, first.body);
      assert.is(replay.text, first.text);
      assert.is(replay.header('idempotency-replayed'), 'true');
    }
    assert.is(listOf((await world[way]('ScanService/ListScans', {}, { key })).body, 'items').length, 1);
    assert.is(fieldOf((await world[way]('OrgService/GetOrg', {}, { key })).body, 'credit.available'), 9);
  });

  test(`${way}: starts one scan for many concurrent requests with the same key`, async (world) => {
    const { key } = await createOrg(world, { credits: 50 });
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => world[way]('ScanService/StartScan', request, withKey(key, 'same'))),
    );
    assert.is(new Set(outcomes.map(({ body }) => JSON.stringify(body))).size, 1);
    assert.ok(outcomes.every(({ reason }) => reason === 'OK'));
    assert.is(outcomes.filter(({ header }) => header('idempotency-replayed') === undefined).length, 1);
    assert.is(fieldOf((await world[way]('OrgService/GetOrg', {}, { key })).body, 'credit.available'), 49);
  });

  test(`${way}: refuses the same key for another request`, async (world) => {
    const { key } = await createOrg(world);
    await world[way]('ScanService/StartScan', request, withKey(key, 'k'));
    for (const other of [{ url: 'https://example.com/b' }, { ...request, depth: 'deep' }]) {
      const outcome = await world[way]('ScanService/StartScan', other, withKey(key, 'k'));
      assertRefused(outcome, way, 'IDEMPOTENCY_KEY_REUSED');
    }
  });

  test(`${way}: keeps the keys of orgs apart`, async (world) => {
    const [a, b] = [await createOrg(world), await createOrg(world)];
    const first = await world[way]('ScanService/StartScan', request, withKey(a.key, 'k'));
    const second = await world[way]('ScanService/StartScan', request, withKey(b.key, 'k'));
    assert.is.not(fieldOf(first.body, 'runId'), fieldOf(second.body, 'runId'));
  });

  test(`${way}: stores no refusal`, async (world) => {
    const { orgId, key } = await createOrg(world, { domains: [] });
    const refused = await world[way]('ScanService/StartScan', request, withKey(key, 'k'));
    assertRefused(refused, way, 'DOMAIN_NOT_VERIFIED');
    await world.operate('DomainService/ApproveDomain', { orgId, domain: 'example.com' });
    assert.is((await world[way]('ScanService/StartScan', request, withKey(key, 'k'))).reason, 'OK');
  });

  for (const [what, idempotencyKey] of [
    ['an empty key', ''],
    ['a key of 256 characters', 'k'.repeat(256)],
  ] as const) {
    test(`${way}: refuses ${what}`, async (world) => {
      const { key } = await createOrg(world);
      const outcome = await world[way]('ScanService/StartScan', request, withKey(key, idempotencyKey));
      assertRefused(outcome, way, 'INVALID_PARAMETER');
      assert.is(fieldOf(outcome.body, 'errors.0.field'), 'Idempotency-Key');
    });
  }

  test(`${way}: takes a key of 255 characters`, async (world) => {
    const { key } = await createOrg(world);
    const outcome = await world[way]('ScanService/StartScan', request, withKey(key, '~'.repeat(255)));
    assert.is(outcome.reason, 'OK');
  });
}

test('replays over gRPC what was answered over REST', async (world) => {
  const { key } = await createOrg(world);
  const rest = await world.rest('ScanService/StartScan', request, withKey(key, 'k'));
  const grpc = await world.grpc('ScanService/StartScan', request, withKey(key, 'k'));
  assert.equal(grpc.body, rest.body);
  assert.is(grpc.header('idempotency-replayed'), 'true');
});

test.run();
