import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg, issueKey, type TestOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { complete } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

type Context = World & { org: TestOrg; runId: string; fingerprint: string };
const test = suite('PATCH /api/v1/findings/:fingerprint', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.before.each(async (context) => {
  context.org = await createOrg(context);
  context.runId = await complete(context, context.org, [{ severity: 'high' }, { severity: 'low' }]);
  const { body } = await context.rest('ScanService/ListFindings', { runId: context.runId }, context.org);
  context.fingerprint = String(fieldOf(body, 'items.0.fingerprint'));
});
test.after((world) => world.close());

const accepted = { state: 'accepted_risk', reason: 'Behind the proxy until spring.' };

async function verdictOf(world: World, { key }: TestOrg, runId: string) {
  const { body } = await world.rest('ScanService/GetGate', { runId }, { key });
  return [fieldOf(body, 'verdict'), fieldOf(body, 'counts.high')];
}

async function statesOf(world: World, { key }: TestOrg, runId: string, filter: object = {}) {
  const { body } = await world.rest('ScanService/ListFindings', { runId, ...filter }, { key });
  return listOf(body, 'items').map((item) => `${fieldOf(item, 'severity')} ${fieldOf(item, 'state')}`);
}

for (const way of ways)
  test(`takes an accepted risk out of the gate, and puts it back, over ${way}`, async (world) => {
    const { org, runId, fingerprint } = world;
    assert.equal(await verdictOf(world, org, runId), ['fail', 1]);
    const decided = await world[way]('ScanService/UpdateFinding', { fingerprint, ...accepted }, org);
    assert.equal([decided.reason, decided.body], ['OK', { fingerprint, ...accepted, hosts: ['example.com'] }]);
    assert.equal(await verdictOf(world, org, runId), ['pass', 0]);
    assert.equal(await statesOf(world, org, runId), ['high accepted_risk', 'low open']);
    await world[way]('ScanService/UpdateFinding', { fingerprint, state: 'open' }, org);
    assert.equal(await verdictOf(world, org, runId), ['fail', 1]);
  });

test('holds for later scans of the host, and not for another host', async (world) => {
  const { org, fingerprint } = world;
  await world.rest('ScanService/UpdateFinding', { fingerprint, ...accepted, state: 'false_positive' }, org);
  const again = await complete(world, org, [{ severity: 'high' }]);
  assert.equal(await statesOf(world, org, again), ['high false_positive']);
  const elsewhere = await complete(world, org, [{ severity: 'high' }], { url: 'shop.example.com' });
  assert.equal(await statesOf(world, org, elsewhere), ['high open']);
});

test('can be for one of the hosts that have it', async (world) => {
  const { org, runId, fingerprint } = world;
  const elsewhere = await complete(world, org, [{ severity: 'high' }], { url: 'shop.example.com' });
  await world.rest('ScanService/UpdateFinding', { fingerprint, ...accepted, host: 'Shop.Example.com' }, org);
  assert.equal(await statesOf(world, org, elsewhere), ['high accepted_risk']);
  assert.equal(await statesOf(world, org, runId), ['high open', 'low open']);
});

test('filters the list by state', async (world) => {
  const { org, runId, fingerprint } = world;
  await world.rest('ScanService/UpdateFinding', { fingerprint, ...accepted }, org);
  assert.equal(await statesOf(world, org, runId, { state: 'open' }), ['low open']);
  assert.equal(await statesOf(world, org, runId, { state: 'accepted_risk' }), ['high accepted_risk']);
  assert.equal(await statesOf(world, org, runId, { state: 'false_positive' }), []);
});

test('shows in the report at once', async (world) => {
  const { org, runId, fingerprint } = world;
  const reportText = async () => (await world.rest('ScanService/GetReport', { runId }, org)).text;
  assert.not.match(await reportText(), 'accepted risk');
  await world.rest('ScanService/UpdateFinding', { fingerprint, ...accepted }, org);
  assert.match(await reportText(), 'accepted risk');
});

test('takes decisions that come at once: each is answered, and one of them holds', async (world) => {
  const { org, runId, fingerprint } = world;
  const words = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 'accepted_risk' : 'false_positive'));
  const answers = await Promise.all(
    words.map((state) => world.rest('ScanService/UpdateFinding', { fingerprint, ...accepted, state }, org)),
  );
  assert.equal(
    answers.map(({ status }) => status),
    words.map(() => 200),
  );
  const [state] = await statesOf(world, org, runId);
  assert.ok(state === 'high accepted_risk' || state === 'high false_positive', state);
});

test('ends by itself when its time has come', async (world) => {
  const { org, runId, fingerprint } = world;
  const expiresAt = new Date(Date.now() + 3_000).toISOString();
  await world.rest('ScanService/UpdateFinding', { fingerprint, ...accepted, expiresAt }, org);
  assert.equal(await statesOf(world, org, runId), ['high accepted_risk', 'low open']);
  await sleep(3_100);
  assert.equal(await statesOf(world, org, runId), ['high open', 'low open']);
});

test('is written to the audit log with its reason', async (world) => {
  const { org, fingerprint } = world;
  await world.rest('ScanService/UpdateFinding', { fingerprint, ...accepted }, org);
  const { body } = await world.rest('AuditLogService/ListAuditLog', {}, org);
  const [entry] = listOf(body, 'items');
  assert.equal([fieldOf(entry, 'action'), fieldOf(entry, 'subject')], ['finding.decide', fingerprint]);
  assert.match(JSON.stringify(entry), accepted.reason);
});

for (const way of ways)
  test(`is refused when it makes no sense, over ${way}`, async (world) => {
    const { org, fingerprint } = world;
    const past = { expiresAt: '2020-01-01T00:00:00Z' };
    const future = { expiresAt: '2090-01-01T00:00:00Z' };
    for (const wrong of [
      { reason: 'no state' },
      { ...accepted, reason: ' ' },
      { ...accepted, reason: 'x'.repeat(1_001) },
      { ...accepted, ...past },
      { state: 'open', ...future },
      { ...accepted, host: 'not a host' },
    ]) {
      const outcome = await world[way]('ScanService/UpdateFinding', { fingerprint, ...wrong }, org);
      assertRefused(outcome, way, 'INVALID_PARAMETER');
    }
  });

for (const way of ways)
  test(`knows no finding that the org has not had, nor another host's, over ${way}`, async (world) => {
    const { org, fingerprint } = world;
    const other = await createOrg(world);
    for (const [request, key] of [
      [{ fingerprint: 'f'.repeat(32) }, org.key],
      [{ fingerprint: 'short' }, org.key],
      [{ fingerprint, host: 'www.example.com' }, org.key],
      [{ fingerprint }, other.key],
    ] as const) {
      const outcome = await world[way]('ScanService/UpdateFinding', { ...accepted, ...request }, { key });
      assertRefused(outcome, way, 'NOT_FOUND');
    }
  });

test('needs the scope findings:write', async (world) => {
  const { org, fingerprint } = world;
  const key = await issueKey(world, org.orgId, { scopes: ['scans:read', 'scans:write'] });
  const outcome = await world.rest('ScanService/UpdateFinding', { fingerprint, ...accepted }, { key });
  assertRefused(outcome, 'rest', 'INSUFFICIENT_SCOPE');
});

test.run();
