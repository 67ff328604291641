import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { further } from '../support/further.ts';
import type { Outcome } from './support/operations.ts';
import { createOrg, issueKey } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('429', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

/** Asks one after the other until it is refused. */
async function untilRefused(
  ask: () => Promise<Outcome>,
): Promise<{ accepted: number; refused: Outcome; elapsedMs: number }> {
  const startedAt = performance.now();
  for (let accepted = 0; accepted < 1_000; accepted += 1) {
    const outcome = await ask();
    if (outcome.reason !== 'OK') return { accepted, refused: outcome, elapsedMs: performance.now() - startedAt };
  }
  throw new Error('nothing was refused');
}

for (const way of ways) {
  (way === 'rest' ? test : further(test))(
    `${way}: stops starts beyond 20 a minute, lets one through after Retry-After, and never stops reading`,
    async (world) => {
      const { orgId, key } = await createOrg(world, { plan: 'team' });
      const start = (by = key) => world[way]('ScanService/StartScan', { url: 'example.com' }, { key: by });
      const { accepted, refused, elapsedMs } = await untilRefused(start);
      // One comes back every 3 seconds while they are counted.
      assert.ok(accepted >= 20 && accepted <= 20 + Math.ceil(elapsedMs / 3_000), `${accepted} accepted`);
      assertRefused(refused, way, 'RATE_LIMITED');
      const otherKey = await issueKey(world, orgId);
      assert.is((await start(otherKey)).reason, 'RATE_LIMITED');
      assert.is((await world[way]('ScanService/ListScans', {}, { key })).reason, 'OK');
      const seconds = Number(fieldOf(refused.body, 'retry-after'));
      assert.ok(seconds >= 1 && seconds <= 3, `${seconds}`);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      assert.is((await start()).reason, 'OK');
    },
  );

  (way === 'grpc' ? test : further(test))(
    `${way}: stops a key beyond 120 requests a minute, lets one through after Retry-After, and no other key`,
    async (world) => {
      const { orgId, key } = await createOrg(world, { plan: 'team' });
      const read = (by = key) => world[way]('OrgService/GetOrg', {}, { key: by });
      const startedAt = performance.now();
      const outcomes = await Promise.all(Array.from({ length: 160 }, () => read()));
      const refused = outcomes.filter(({ reason }) => reason !== 'OK');
      for (const outcome of refused) assertRefused(outcome, way, 'RATE_LIMITED');
      const accepted = outcomes.length - refused.length;
      // One comes back every half second while they are counted.
      const returned = Math.ceil((performance.now() - startedAt) / 500);
      assert.ok(accepted >= 120 && accepted <= 120 + returned, `${accepted} accepted`);
      const last = await untilRefused(read);
      assert.is((await read(await issueKey(world, orgId))).reason, 'OK');
      const seconds = Number(fieldOf(last.refused.body, 'retry-after'));
      assert.is(seconds, 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      assert.is((await read()).reason, 'OK');
    },
  );

  test(`${way}: says with every answer how many requests are left`, async (world) => {
    const { key } = await createOrg(world, { plan: 'team' });
    const first = await world[way]('OrgService/GetOrg', {}, { key });
    assert.match(first.header('ratelimit') ?? '', /"requests";r=119;t=\d+/);
    assert.match(first.header('ratelimit-policy') ?? '', '"requests";q=120;w=60');
    const started = await world[way]('ScanService/StartScan', { url: 'example.com' }, { key });
    assert.match(started.header('ratelimit') ?? '', /"starts";r=19/);
    const refused = await world[way]('ScanService/GetScan', { runId: 'x' }, { key });
    assertRefused(refused, way, 'NOT_FOUND');
    assert.match(refused.header('ratelimit') ?? '', /"requests";r=11\d/);
  });
}

further(test)('counts requests that the gateway could not read like any other', async (world) => {
  const { key } = await createOrg(world, { plan: 'team' });
  const ask = () => world.rest('ScanService/ListScans', { colour: 'red' }, { key });
  const outcomes = await Promise.all(Array.from({ length: 160 }, ask));
  const reasons = new Set(outcomes.map(({ reason }) => reason));
  assert.equal([...reasons].sort(), ['INVALID_PARAMETER', 'RATE_LIMITED']);
  const unreadable = outcomes.find(({ reason }) => reason === 'INVALID_PARAMETER');
  assert.match(unreadable?.header('ratelimit') ?? '', /"requests";r=\d+/);
});

test.run();
