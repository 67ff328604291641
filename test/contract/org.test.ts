import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('/api/v1/org', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

test('shows plan, entitlements, credit, limits and gate policy, the same over REST and gRPC', async (world) => {
  const { orgId, key } = await createOrg(world, { plan: 'team', credits: 12 });
  const rest = await world.rest('OrgService/GetOrg', {}, { key });
  const grpc = await world.grpc('OrgService/GetOrg', {}, { key });
  assert.is(rest.status, 200);
  assert.equal(rest.body, grpc.body);
  const { createdAt, gatePolicy, ...org } = rest.body as Record<string, unknown>;
  assert.ok(!Number.isNaN(Date.parse(String(createdAt))));
  assert.equal(org, {
    orgId,
    name: 'Test',
    plan: 'team',
    entitlements: { apiAccess: true, deep: false },
    credit: { available: 12, reserved: 0 },
    limits: { requestsPerMinute: 120, startsPerMinute: 20, orgRequestsPerMinute: 600, maxKeys: 50, waitingGates: 20 },
  });
  assert.type(gatePolicy, 'object');
});

for (const way of ways) {
  test(`${way}: changes the gate policy, and nothing else`, async (world) => {
    const { key } = await createOrg(world);
    const before = (await world[way]('OrgService/GetOrg', {}, { key })).body as Record<string, unknown>;
    const request = { gatePolicy: { threshold: 'medium' } };
    const { reason, body } = await world[way]('OrgService/UpdateOrg', request, { key });
    assert.is(reason, 'OK');
    assert.equal(body, { ...before, gatePolicy: { threshold: 'medium', acceptedGaps: [] } });
    assert.equal((await world[way]('OrgService/GetOrg', {}, { key })).body, body);
    assert.equal((await world[way]('OrgService/UpdateOrg', {}, { key })).body, body, 'nothing given, nothing changed');
  });
}

for (const request of [
  { plan: 'business' },
  { entitlements: { deep: true } },
  { credit: { available: 1_000_000 } },
  { orgId: 'x' },
  { gatePolicy: { threshhold: 'low' } },
]) {
  test(`lets nobody set ${JSON.stringify(request)}`, async (world) => {
    const { key } = await createOrg(world, { plan: 'team' });
    assertRefused(await world.rest('OrgService/UpdateOrg', request, { key }), 'rest', 'UNKNOWN_FIELD');
    const { body } = await world.rest('OrgService/GetOrg', {}, { key });
    assert.is(fieldOf(body, 'plan'), 'team');
  });
}

for (const threshold of ['LOW', 3, null, '', 'unspecified']) {
  test(`refuses the policy ${JSON.stringify(threshold)}`, async (world) => {
    const { key } = await createOrg(world);
    const outcome = await world.rest('OrgService/UpdateOrg', { gatePolicy: { threshold } }, { key });
    assertRefused(outcome, 'rest', 'INVALID_BODY');
    assert.is(fieldOf(outcome.body, 'errors.0.field'), 'gatePolicy.threshold');
  });
}

test.run();
