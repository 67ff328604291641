import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { begin, finish, start } from './support/scans.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('POST /api/v1/scans/:id/cancel', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

for (const way of firstRows(ways, 1)) {
  test(`${way}: cancels a queued scan at once, and gives its credit back`, async (world) => {
    const org = await createOrg(world, { credits: 5 });
    const runId = await start(world, org, 'example.com', 'deep');
    const { reason, body } = await world[way]('ScanService/CancelScan', { runId }, { key: org.key });
    assert.is(reason, 'OK');
    assert.is(fieldOf(body, 'runId'), runId);
    assert.is(fieldOf(body, 'status'), 'canceled');
    assert.is(fieldOf(body, 'credits'), 0);
    const { body: account } = await world[way]('OrgService/GetOrg', {}, { key: org.key });
    assert.equal(fieldOf(account, 'credit'), { available: 5, reserved: 0 });
    assertRefused(await world.work('RunService/BeginRun', { runId }), 'grpc', 'RUN_NOT_RUNNING');
  });

  test(`${way}: asks a running scan to stop, which has then cost its credit`, async (world) => {
    const org = await createOrg(world, { credits: 1 });
    const runId = await start(world, org);
    await begin(world, runId);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const { reason, body } = await world[way]('ScanService/CancelScan', { runId }, { key: org.key });
      assert.is(reason, 'OK');
      assert.is(fieldOf(body, 'status'), 'running');
    }
    await finish(world, runId, 'canceled');
    const { body } = await world[way]('ScanService/GetScan', { runId }, { key: org.key });
    assert.is(fieldOf(body, 'status'), 'canceled');
    const { body: account } = await world[way]('OrgService/GetOrg', {}, { key: org.key });
    assert.equal(fieldOf(account, 'credit'), { available: 0, reserved: 0 });
  });
}

test('takes an empty body, an empty object, and nothing else', async (world) => {
  const org = await createOrg(world);
  const cancel = async (init: RequestInit) => {
    const runId = await start(world, org);
    const headers = { authorization: `Bearer ${org.key}`, ...(init.headers as Record<string, string>) };
    const url = `${world.baseUrl}/api/v1/scans/${runId}/cancel`;
    return (await fetch(url, { method: 'POST', ...init, headers })).status;
  };
  const json = { 'content-type': 'application/json' };
  assert.is(await cancel({}), 200);
  assert.is(await cancel({ headers: json }), 200);
  assert.is(await cancel({ headers: json, body: '{}' }), 200);
  assert.is(await cancel({ headers: json, body: '{"runId":"x"}' }), 400);
  assert.is(await cancel({ headers: json, body: '[]' }), 400);
});

test.run();
