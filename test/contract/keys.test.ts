import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, issueKey, keyIdOf } from './support/orgs.ts';
import { assertRefused, withoutRequestId } from './support/refusals.ts';
import { begin, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite<World>('/api/v1/keys', {} as World);
test.before(async (world) => {
  Object.assign(world, await startWorld());
});
test.after((world) => world.close());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const works = async (world: World, key: string) => (await world.rest('ScanService/ListScans', {}, { key })).reason;

for (const way of ways)
  test(`makes a key that can do a part of what the caller can, and shows it once, over ${way}`, async (world) => {
    const org = await createOrg(world);
    const made = await world[way]('KeyService/CreateOrgKey', { name: 'ci', scopes: ['scans:read'] }, org);
    assert.is(made.status, way === 'rest' ? 201 : 0);
    const secret = String(fieldOf(made.body, 'secret'));
    assert.is(await works(world, secret), 'OK');
    const refused = await world[way]('ScanService/StartScan', { url: 'example.com' }, { key: secret });
    assertRefused(refused, way, 'INSUFFICIENT_SCOPE');
    const { body } = await world[way]('KeyService/ListOrgKeys', {}, org);
    const [, listed] = listOf(body, 'items');
    assert.equal(
      [fieldOf(listed, 'keyId'), fieldOf(listed, 'name'), fieldOf(listed, 'scopes'), fieldOf(listed, 'kind')],
      [keyIdOf(secret), 'ci', ['scans:read'], 'org'],
    );
    assert.ok(fieldOf(listed, 'lastUsedAt'));
    assert.not.match(JSON.stringify(body), secret.slice(12));
  });

test('never makes one that can do more or lives longer than the caller', async (world) => {
  const org = await createOrg(world);
  const until = inHours(10);
  const key = await issueKey(world, org.orgId, { scopes: ['keys:write', 'scans:read'], expiresAt: until });
  const make = (more: object) =>
    world.rest('KeyService/CreateOrgKey', { name: 'x', scopes: ['scans:read'], ...more }, { key });
  assertRefused(await make({ scopes: ['scans:read', 'scans:write'] }), 'rest', 'INVALID_PARAMETER');
  assertRefused(await make({ scopes: ['no:scope'] }), 'rest', 'INVALID_PARAMETER');
  assertRefused(await make({ expiresAt: inHours(11) }), 'rest', 'INVALID_PARAMETER');
  assertRefused(await make({ expiresAt: inHours(-1) }), 'rest', 'INVALID_PARAMETER');
  assertRefused(await make({ name: '' }), 'rest', 'INVALID_PARAMETER');
  assert.is(fieldOf((await make({ expiresAt: inHours(9) })).body, 'key.scopes.0'), 'scans:read');
  assert.is(fieldOf((await make({})).body, 'key.expiresAt'), until, 'it inherits the end');
});

test('rotates: the new key can do the same, the old one lives on for the overlap', async (world) => {
  const org = await createOrg(world);
  const old = await issueKey(world, org.orgId, { scopes: ['scans:read'] });
  const rotated = await world.rest('KeyService/RotateOrgKey', { keyId: keyIdOf(old) }, org);
  const secret = String(fieldOf(rotated.body, 'secret'));
  assert.equal([rotated.status, await works(world, old), await works(world, secret)], [201, 'OK', 'OK']);
  const { body } = await world.rest('KeyService/ListOrgKeys', {}, org);
  const end = listOf(body, 'items').find((item) => fieldOf(item, 'keyId') === keyIdOf(old));
  const hours = (Date.parse(String(fieldOf(end, 'expiresAt'))) - Date.now()) / 3_600_000;
  assert.ok(hours > 23.9 && hours <= 24, String(hours));
  const again = await world.rest('KeyService/RotateOrgKey', { keyId: keyIdOf(secret), overlapHours: 0 }, org);
  assert.is(await works(world, secret), 'INVALID_KEY', 'no overlap ends it at once');
  assert.is(await works(world, String(fieldOf(again.body, 'secret'))), 'OK');
  assertRefused(await world.rest('KeyService/RotateOrgKey', { keyId: keyIdOf(secret) }, org), 'rest', 'KEY_NOT_LIVE');
});

test('does not rotate a key into more than the caller is', async (world) => {
  const org = await createOrg(world);
  const weak = await issueKey(world, org.orgId, { scopes: ['keys:write'] });
  const outcome = await world.rest('KeyService/RotateOrgKey', { keyId: keyIdOf(org.key) }, { key: weak });
  assertRefused(outcome, 'rest', 'INVALID_PARAMETER');
  for (const overlapHours of [-1, 169]) {
    const wrong = await world.rest('KeyService/RotateOrgKey', { keyId: keyIdOf(weak), overlapHours }, org);
    assertRefused(wrong, 'rest', 'INVALID_PARAMETER');
  }
});

for (const way of ways)
  test(`revokes at once, over ${way}`, async (world) => {
    const org = await createOrg(world);
    const key = await issueKey(world, org.orgId);
    const revoke = () => world[way]('KeyService/RevokeOrgKey', { keyId: keyIdOf(key) }, org);
    assert.equal([(await revoke()).reason, (await revoke()).reason], ['OK', 'OK']);
    assertRefused(await world[way]('ScanService/ListScans', {}, { key }), way, 'INVALID_KEY');
  });

test('ends a call that waits when its key is revoked', async (world) => {
  const org = await createOrg(world);
  const key = await issueKey(world, org.orgId);
  const runId = await start(world, org);
  await begin(world, runId);
  const startedAt = Date.now();
  const waiting = world.rest('ScanService/GetGate', { runId, wait: 55 }, { key });
  await world.rest('ScanService/GetScan', { runId }, { key });
  await world.rest('KeyService/RevokeOrgKey', { keyId: keyIdOf(key) }, org);
  assertRefused(await waiting, 'rest', 'INVALID_KEY');
  assert.ok(Date.now() - startedAt < 20_000);
});

test('answers for a key of another org as for one that nobody has', async (world) => {
  const [org, other] = [await createOrg(world), await createOrg(world)];
  for (const operation of ['KeyService/RotateOrgKey', 'KeyService/RevokeOrgKey']) {
    const foreign = await world.rest(operation, { keyId: keyIdOf(other.key) }, org);
    const unknown = await world.rest(operation, { keyId: 'zzzzzzzz' }, org);
    assertRefused(foreign, 'rest', 'NOT_FOUND');
    assert.is(withoutRequestId(foreign), withoutRequestId(unknown));
  }
  assert.is(await works(world, other.key), 'OK');
  const { body } = await world.rest('KeyService/ListOrgKeys', {}, org);
  assert.not.match(JSON.stringify(body), keyIdOf(other.key));
});

test.run();
