import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg, type TestOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { begin, complete, finish, recordFamily, recordFindings, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('GET /api/v1/scans/:id/gate', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

/** The verdict, which is always an answer of 200, and the same over REST and gRPC. */
async function gate(world: World, { key }: TestOrg, request: object): Promise<Record<string, unknown>> {
  const rest = await world.rest('ScanService/GetGate', request, { key });
  const grpc = await world.grpc('ScanService/GetGate', request, { key });
  assert.is(rest.status, 200, rest.text);
  const withoutTime = ({ evaluatedAt, ...answer }: Record<string, unknown>) => {
    assert.ok(!Number.isNaN(Date.parse(String(evaluatedAt))));
    return answer;
  };
  const answer = withoutTime(rest.body as Record<string, unknown>);
  assert.equal(answer, withoutTime(grpc.body as Record<string, unknown>));
  assert.is(answer.passed, answer.verdict === 'pass');
  return answer;
}

test('answers with all its fields', async (world) => {
  const org = await createOrg(world);
  const runId = await complete(world, org, [{ severity: 'high' }, { severity: 'medium' }]);
  const { blocking, reason, ...answer } = await gate(world, org, { runId });
  assert.equal(answer, {
    runId,
    scanStatus: 'completed',
    verdict: 'fail',
    passed: false,
    threshold: 'high',
    scope: 'all',
    counts: { critical: 0, high: 1, medium: 1, low: 0, info: 0 },
    coverage: { complete: true, gaps: [], limits: [], acceptedGaps: [] },
  });
  assert.ok(reason);
  const [{ id, fingerprint, ...first } = {}, ...others] = blocking as Record<string, unknown>[];
  assert.ok(id && fingerprint);
  assert.equal(others, []);
  assert.equal(first, {
    checkId: 'headers.hsts-missing',
    title: 'Finding <b>high</b> at /',
    severity: 'high',
    location: { url: 'https://example.com/', method: 'GET', parameter: 'q', parameterIn: 'query' },
  });
});

test('blocks at and above the threshold, and never with none', async (world) => {
  const org = await createOrg(world);
  const severities = ['info', 'low', 'medium', 'high', 'critical'];
  const all = await complete(
    world,
    org,
    severities.map((severity) => ({ severity })),
  );
  for (const [index, threshold] of severities.entries()) {
    const answer = await gate(world, org, { runId: all, threshold });
    assert.is(answer.verdict, 'fail');
    assert.is(answer.threshold, threshold);
    assert.is(listOf(answer, 'blocking').length, severities.length - index, threshold);
  }
  const none = await gate(world, org, { runId: all, threshold: 'none' });
  assert.is(none.verdict, 'pass');
  assert.equal(none.blocking, []);
  const medium = await complete(world, org, [{ severity: 'medium' }]);
  assert.is((await gate(world, org, { runId: medium, threshold: 'high' })).verdict, 'pass');
  assert.is((await gate(world, org, { runId: medium, threshold: 'medium' })).verdict, 'fail');
});

test("takes the org's policy when no threshold is given, and high without one", async (world) => {
  const org = await createOrg(world);
  const runId = await complete(world, org, [{ severity: 'medium' }]);
  assert.is((await gate(world, org, { runId })).threshold, 'high');
  const request = { gatePolicy: { threshold: 'low' } };
  assert.is((await world.rest('OrgService/UpdateOrg', request, { key: org.key })).status, 200);
  const answer = await gate(world, org, { runId });
  assert.is(answer.threshold, 'low');
  assert.is(answer.verdict, 'fail');
  assert.is((await gate(world, org, { runId, threshold: 'high' })).verdict, 'pass');
});

test('is pending until the scan has finished, whatever was found', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  for (const until of [undefined, 'completed', 'verdict'])
    assert.is((await gate(world, org, { runId, ...(until && { until }) })).verdict, 'pending');
  await begin(world, runId);
  await recordFindings(world, runId, [{ severity: 'critical' }]);
  const answer = await gate(world, org, { runId });
  assert.is(answer.verdict, 'pending');
  assert.is(answer.scanStatus, 'running');
  assert.is(listOf(answer, 'blocking').length, 1);
  await recordFamily(world, runId);
  await finish(world, runId);
  assert.is((await gate(world, org, { runId })).verdict, 'fail');
});

test('until=verdict fails as soon as a finding blocks', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  await begin(world, runId);
  const request = { runId, until: 'verdict' };
  await recordFindings(world, runId, [{ severity: 'low' }]);
  assert.is((await gate(world, org, request)).verdict, 'pending');
  await recordFindings(world, runId, [{ severity: 'critical' }]);
  const answer = await gate(world, org, request);
  assert.is(answer.verdict, 'fail');
  assert.is(answer.scanStatus, 'running');
});

test('fails closed: a scan that failed, was canceled or did not look at everything passes nothing', async (world) => {
  const org = await createOrg(world);
  const failed = await start(world, org);
  await begin(world, failed);
  await recordFamily(world, failed);
  await finish(world, failed, 'failed', { code: 'unreachable', detail: '' });
  const canceled = await start(world, org);
  await world.rest('ScanService/CancelScan', { runId: canceled }, { key: org.key });
  const partial = await start(world, org);
  await begin(world, partial);
  await recordFamily(world, partial, 'failed');
  await finish(world, partial);
  const untouched = await start(world, org);
  await begin(world, untouched);
  await finish(world, untouched);
  for (const runId of [failed, canceled, partial, untouched]) {
    for (const threshold of ['high', 'none']) {
      assert.is((await gate(world, org, { runId, threshold })).verdict, 'inconclusive');
    }
  }
});

test('measures only what is new, against the scan before or a named one', async (world) => {
  const org = await createOrg(world);
  const first = await complete(world, org, [{ severity: 'high', path: '/old' }]);
  const second = await complete(world, org, [{ severity: 'high', path: '/old' }]);
  assert.is((await gate(world, org, { runId: second })).verdict, 'fail');
  assert.is((await gate(world, org, { runId: second, scope: 'new' })).verdict, 'pass');
  const third = await complete(world, org, [
    { severity: 'high', path: '/old' },
    { severity: 'high', path: '/new' },
  ]);
  const answer = await gate(world, org, { runId: third, scope: 'new', baseline: first });
  assert.is(answer.verdict, 'fail');
  assert.is(answer.scope, 'new');
  assert.is(fieldOf(answer, 'blocking.0.location.url'), 'https://example.com/new');
  assert.is(listOf(answer, 'blocking').length, 1);
  assert.is(
    (await gate(world, org, { runId: first, scope: 'new' })).verdict,
    'fail',
    'without a scan before, all is new',
  );
});

for (const way of firstRows(ways, 1)) {
  test(`${way}: waits for the end of the scan, and answers as soon as there is a verdict`, async (world) => {
    const org = await createOrg(world);
    const runId = await start(world, org);
    await begin(world, runId);
    const waiting = world[way]('ScanService/GetGate', { runId, wait: 30 }, { key: org.key });
    await recordFindings(world, runId, [{ severity: 'critical' }]);
    const early = await Promise.race([waiting, new Promise((resolve) => setTimeout(resolve, 2_000, 'still waiting'))]);
    assert.is(early, 'still waiting');
    await recordFamily(world, runId);
    await finish(world, runId);
    const { body } = await waiting;
    assert.is(fieldOf(body, 'verdict'), 'fail');
    assert.is(fieldOf(body, 'scanStatus'), 'completed');
  });

  test(`${way}: until=verdict waits for the first finding that blocks`, async (world) => {
    const org = await createOrg(world);
    const runId = await start(world, org);
    await begin(world, runId);
    const startedAt = performance.now();
    const request = { runId, wait: 30, until: 'verdict' };
    const waiting = world[way]('ScanService/GetGate', request, { key: org.key });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await recordFindings(world, runId, [{ severity: 'critical' }]);
    assert.is(fieldOf((await waiting).body, 'verdict'), 'fail');
    const elapsedMs = performance.now() - startedAt;
    assert.ok(elapsedMs > 900 && elapsedMs < 15_000, `${elapsedMs} ms`);
  });

  test(`${way}: answers pending when the wait has ended`, async (world) => {
    const org = await createOrg(world);
    const runId = await start(world, org);
    const startedAt = performance.now();
    const { body } = await world[way]('ScanService/GetGate', { runId, wait: 1 }, { key: org.key });
    assert.is(fieldOf(body, 'verdict'), 'pending');
    assert.ok(performance.now() - startedAt > 900);
  });

  for (const [what, request, field] of [
    ['a wait of 56 seconds', { wait: 56 }, 'wait'],
    ['a negative wait', { wait: -1 }, 'wait'],
  ] as const) {
    test(`${way}: refuses ${what}`, async (world) => {
      const org = await createOrg(world);
      const runId = await start(world, org);
      const outcome = await world[way]('ScanService/GetGate', { runId, ...request }, { key: org.key });
      assertRefused(outcome, way, 'INVALID_PARAMETER');
      assert.is(fieldOf(outcome.body, 'errors.0.field'), field);
    });
  }

  test(`${way}: refuses to measure a scan against itself`, async (world) => {
    const org = await createOrg(world);
    const runId = await complete(world, org);
    const request = { runId, scope: 'new', baseline: runId };
    assertRefused(await world[way]('ScanService/GetGate', request, { key: org.key }), way, 'INVALID_PARAMETER');
  });
}

const misspelled = [
  ['threshold', 'HIGH'],
  ['treshold', 'low'],
  ['threshold', 'severe'],
  ['threshold', ''],
  ['threshold', '4'],
  ['scope', 'changed'],
  ['until', 'finished'],
  ['wait', '1.5'],
  ['wait', 'long'],
  ['minSeverity', 'low'],
] as const;
for (const [name, value] of firstRows(misspelled, 3)) {
  test(`refuses ${name}=${value}, which must not pass for the default`, async (world) => {
    const org = await createOrg(world);
    const runId = await complete(world, org);
    const outcome = await world.rest('ScanService/GetGate', { runId, [name]: value }, { key: org.key });
    assertRefused(outcome, 'rest', 'INVALID_PARAMETER');
    assert.is(fieldOf(outcome.body, 'errors.0.field'), name);
  });
}

test.run();
