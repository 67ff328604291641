import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { allOperations, anyRequest } from './support/operations.ts';
import { createOrg, issueKey, keyIdOf, type TestOrg } from './support/orgs.ts';
import { assertRefused, withoutRequestId } from './support/refusals.ts';
import { startWorld, type World, ways } from './support/world.ts';

type Context = World & { org: TestOrg };
const test = suite('401', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
});
test.after((world) => world.close());

/** A key of the right form and checksum that was never issued. */
const unknownKey = 'sa_AAAAAAAA_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4NxPe8';

for (const way of ways) {
  for (const operation of firstRows(allOperations, way === 'rest' ? 12 : 3)) {
    test(`${way}: ${operation} needs a key`, async (world) => {
      const request = anyRequest[operation] ?? {};
      assertRefused(await world[way](operation, request), way, 'MISSING_KEY');
      assertRefused(await world[way](operation, request, { key: unknownKey }), way, 'INVALID_KEY');
    });
  }

  for (const [what, authorization] of [
    ['an empty header', ''],
    ['a key without a scheme', unknownKey],
    ['another scheme', 'Basic c2E6c2E='],
    ['a scheme without a key', 'Bearer'],
  ] as const) {
    test(`${way}: takes ${what} for no key`, async (world) => {
      const outcome = await world[way]('ScanService/ListScans', {}, { headers: { authorization } });
      assertRefused(outcome, way, 'MISSING_KEY');
    });
  }

  test(`${way}: takes the scheme in any case`, async ({ org, ...world }) => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const headers = { authorization: `${scheme} ${org.key}` };
      assert.is((await world[way]('ScanService/ListScans', {}, { headers })).reason, 'OK');
    }
  });

  test(`${way}: refuses a key from the first request after it was revoked`, async ({ org, ...world }) => {
    const key = await issueKey(world, org.orgId);
    assert.is((await world[way]('ScanService/ListScans', {}, { key })).reason, 'OK');
    await world.operate('KeyService/RevokeKey', { keyId: keyIdOf(key) });
    assertRefused(await world[way]('ScanService/ListScans', {}, { key }), way, 'INVALID_KEY');
    assert.is(
      (await world[way]('ScanService/ListScans', {}, { key: org.key })).reason,
      'OK',
      'the other key still works',
    );
  });
}

test('answers no difference between malformed, mistyped, unknown, expired and revoked keys', async ({
  org,
  ...world
}) => {
  const revoked = await issueKey(world, org.orgId);
  await world.operate('KeyService/RevokeKey', { keyId: keyIdOf(revoked) });
  const expired = await issueKey(world, org.orgId, { expiresAt: new Date(Date.now() + 1_000).toISOString() });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const valid = org.key;
  const mistyped = `${valid.slice(0, 20)}${valid[20] === 'a' ? 'b' : 'a'}${valid.slice(21)}`;
  const keys = ['x', 'sa_', mistyped, `${valid}a`, valid.toLowerCase(), unknownKey, expired, revoked, 'sa_é', 'a b'];
  const bodies = new Set<string>();
  for (const key of keys) {
    const outcome = await world.rest('ScanService/ListScans', {}, { key });
    assertRefused(outcome, 'rest', 'INVALID_KEY');
    bodies.add(withoutRequestId(outcome));
  }
  assert.is(bodies.size, 1, [...bodies].join('\n'));
});

test('never shows a key in an answer', async ({ org, ...world }) => {
  const { text } = await world.rest('ScanService/ListScans', {}, { key: `${org.key}x` });
  assert.not.match(text, org.key.slice(3));
});

test.run();
