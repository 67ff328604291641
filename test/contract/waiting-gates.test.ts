import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg, issueKey } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { start } from './support/scans.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('waiting gates', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

for (const way of firstRows(ways, 1)) {
  test(`${way}: an org waits for as many at once as its plan says, whatever the key; one more gets the time to come back`, async (world) => {
    const limits = { requestsPerMinute: 10_000, startsPerMinute: 100, waitingGates: 2 };
    const plan = { name: 'two-gates', apiAccess: true, deep: false, retentionDays: 1, ...limits };
    await world.operate('OrgService/PutPlan', { plan });
    const org = await createOrg(world, { plan: 'two-gates' });
    const otherKey = await issueKey(world, org.orgId);
    const runId = await start(world, org);
    const gate = (wait: number, key = org.key) => world[way]('ScanService/GetGate', { runId, wait }, { key });
    // One that meets the question whether there is a place left asks again.
    const hold = async () => {
      for (let outcome = await gate(50); ; outcome = await gate(50)) {
        if (outcome.reason === 'OK') return outcome;
        await sleep(100);
      }
    };
    const first = [hold(), hold()];
    const refused = await untilRefused(() => gate(1, otherKey));
    assertRefused(refused, way, 'RATE_LIMITED');
    if (way === 'rest') assert.is(refused.header('retry-after'), '5');
    assert.is((await gate(0)).reason, 'OK', 'without a wait it is answered');
    const other = await createOrg(world, { plan: 'two-gates' });
    const foreign = await world[way]('ScanService/GetGate', { runId: await start(world, other), wait: 1 }, other);
    assert.is(foreign.reason, 'OK', 'another org waits as before');
    await world[way]('ScanService/CancelScan', { runId }, { key: org.key });
    for (const { reason } of await Promise.all(first)) assert.is(reason, 'OK');
    const again = await start(world, org);
    const after = await world[way]('ScanService/GetGate', { runId: again, wait: 1 }, { key: org.key });
    assert.is(after.reason, 'OK', 'the places are given back');
  });
}

/** Until those that were sent before have begun to wait. */
async function untilRefused<T extends { reason: string }>(ask: () => Promise<T>): Promise<T> {
  for (let asked = 0; asked < 30; asked += 1) {
    const outcome = await ask();
    if (outcome.reason !== 'OK') return outcome;
  }
  throw new Error('it was never refused');
}

test.run();
