import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { begin, complete, finish, start } from './support/scans.ts';
import { fieldOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('409', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

for (const way of ways) {
  for (const operation of ['ScanService/ListFindings', 'ScanService/GetReport']) {
    test(`${way}: ${operation} asks to come back while the scan can still complete`, async (world) => {
      const org = await createOrg(world);
      const runId = await start(world, org);
      for (const scanStatus of ['queued', 'running']) {
        if (scanStatus === 'running') await begin(world, runId);
        const outcome = await world[way](operation, { runId }, { key: org.key });
        assertRefused(outcome, way, 'SCAN_NOT_COMPLETED');
        assert.is(fieldOf(outcome.body, 'scanStatus'), scanStatus);
        assert.ok(Number(fieldOf(outcome.body, 'retry-after')) >= 1);
      }
      await finish(world, runId);
      assert.is((await world[way](operation, { runId }, { key: org.key })).reason, 'OK');
    });

    test(`${way}: ${operation} does not ask to come back when the scan can no longer complete`, async (world) => {
      const org = await createOrg(world);
      const failed = await start(world, org);
      await begin(world, failed);
      await finish(world, failed, 'failed', { code: 'unreachable', detail: '' });
      const canceled = await start(world, org);
      await world.rest('ScanService/CancelScan', { runId: canceled }, { key: org.key });
      for (const [runId, scanStatus] of [
        [failed, 'failed'],
        [canceled, 'canceled'],
      ] as const) {
        const outcome = await world[way](operation, { runId }, { key: org.key });
        assertRefused(outcome, way, 'SCAN_NOT_COMPLETED');
        assert.is(fieldOf(outcome.body, 'scanStatus'), scanStatus);
        assert.is(fieldOf(outcome.body, 'retry-after'), undefined);
      }
    });
  }

  test(`${way}: a finished scan cannot be canceled`, async (world) => {
    const org = await createOrg(world);
    const runId = await complete(world, org);
    const outcome = await world[way]('ScanService/CancelScan', { runId }, { key: org.key });
    assertRefused(outcome, way, 'SCAN_FINISHED');
    assert.is(fieldOf(outcome.body, 'scanStatus'), 'completed');
  });
}

test('grpc: a run that is not running takes nothing from a worker', async (world) => {
  const org = await createOrg(world);
  const runId = await complete(world, org);
  for (const [operation, request] of [
    ['BeginRun', { runId }],
    ['RecordFindings', { runId, findings: [] }],
    ['ReportProgress', { runId, phase: 'survey', progress: 0.5 }],
    ['FinishRun', { runId, outcome: 'failed' }],
  ] as const) {
    assertRefused(await world.work(`RunService/${operation}`, request), 'grpc', 'RUN_NOT_RUNNING');
  }
  assert.is((await world.work('RunService/FinishRun', { runId, outcome: 'completed' })).reason, 'OK', 'repeated');
});

test.run();
