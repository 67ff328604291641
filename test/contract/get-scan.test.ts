import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOrg } from './support/orgs.ts';
import { begin, complete, finish, recordFamily, recordFindings, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World } from './support/world.ts';

const test = suite('GET /api/v1/scans/:id', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

/** The status record, which is the same over REST and gRPC. */
async function record(world: World, key: string, runId: string): Promise<Record<string, unknown>> {
  const rest = await world.rest('ScanService/GetScan', { runId }, { key });
  const grpc = await world.grpc('ScanService/GetScan', { runId }, { key });
  assert.is(rest.status, 200);
  assert.is(grpc.reason, 'OK');
  assert.equal(rest.body, grpc.body);
  return rest.body as Record<string, unknown>;
}

const noFindings = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

test('shows a queued scan with all its fields', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org, 'https://www.example.com/shop?a=1#part');
  const { createdAt, ...scan } = await record(world, org.key, runId);
  assert.match(String(createdAt), rfc3339);
  assert.equal(scan, {
    runId,
    host: 'www.example.com',
    url: 'https://www.example.com/shop?a=1',
    depth: 'standard',
    status: 'queued',
    phase: 'queued',
    progress: 0,
    findingsCount: 0,
    severity: noFindings,
    coverage: { complete: false, families: [], gaps: [], limits: [], summary: '' },
    requests: 0,
    credits: 1,
    entriesLeft: 0,
  });
});

test('counts verified findings by severity while the scan runs', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  await begin(world, runId);
  assert.is((await record(world, org.key, runId)).status, 'running');
  await recordFindings(world, runId, [{ severity: 'high' }, { severity: 'low' }, { severity: 'low', path: '/b' }]);
  await recordFindings(world, runId, [{ severity: 'critical' }, { severity: 'low' }]);
  const scan = await record(world, org.key, runId);
  assert.is(scan.findingsCount, 4);
  assert.equal(scan.severity, { critical: 1, high: 1, medium: 0, low: 2, info: 0 });
  assert.match(String(scan.startedAt), rfc3339);
  assert.not('finishedAt' in scan);
});

test('shows a completed scan, and what it has looked at', async (world) => {
  const org = await createOrg(world);
  const runId = await complete(world, org, [{ severity: 'info' }]);
  const scan = await record(world, org.key, runId);
  assert.is(scan.status, 'completed');
  assert.is(scan.phase, 'done');
  assert.is(scan.progress, 1);
  assert.is(scan.credits, 1);
  assert.match(String(scan.finishedAt), rfc3339);
  assert.is(fieldOf(scan, 'coverage.complete'), true);
  assert.equal(fieldOf(scan, 'coverage.families.0'), {
    id: 'headers',
    status: 'done',
    reason: '',
    checks: 1,
    requests: 3,
    outcomes: [{ checkId: 'headers.hsts-missing', outcome: 'found', reason: '', refuted: 0 }],
  });
});

test('shows a deep scan that had no identity to log in with as not complete', async (world) => {
  const org = await createOrg(world);
  const scan = await record(world, org.key, await complete(world, org, [], { depth: 'deep' }));
  assert.is(scan.depth, 'deep');
  assert.is(scan.credits, 5);
  assert.is(fieldOf(scan, 'coverage.complete'), false);
  const subjects = listOf(scan, 'coverage.gaps').map((entry) => fieldOf(entry, 'subject'));
  assert.ok(subjects.includes('login'));
});

test('shows a scan whose coverage is not complete as such', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  await begin(world, runId);
  await recordFamily(world, runId, 'failed');
  await finish(world, runId);
  const scan = await record(world, org.key, runId);
  assert.is(scan.status, 'completed');
  assert.is(fieldOf(scan, 'coverage.complete'), false);
  assert.is(fieldOf(scan, 'coverage.families.0.status'), 'failed');
});

test('says why a scan failed, and that it cost nothing', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  await begin(world, runId);
  await finish(world, runId, 'failed', { code: 'unreachable', detail: 'Nothing answers on port 443.' });
  const scan = await record(world, org.key, runId);
  assert.is(scan.status, 'failed');
  assert.equal(scan.failure, { code: 'unreachable', detail: 'Nothing answers on port 443.' });
  assert.is(scan.credits, 0);
  const { body } = await world.rest('OrgService/GetOrg', {}, { key: org.key });
  assert.equal(fieldOf(body, 'credit'), { available: 1_000, reserved: 0 });
});

test.run();
