import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { scanOperations } from './support/operations.ts';
import { createOrg, type TestOrg } from './support/orgs.ts';
import { assertRefused, withoutRequestId } from './support/refusals.ts';
import { complete, start } from './support/scans.ts';
import { startWorld, type World, ways } from './support/world.ts';

type Context = World & { org: TestOrg; foreign: { queued: string; completed: string } };
const test = suite('404', {} as Context);
test.before(async (context) => {
  Object.assign(context, await startWorld());
  context.org = await createOrg(context);
  const other = await createOrg(context);
  context.foreign = {
    completed: await complete(context, other, [{ severity: 'high' }]),
    queued: await start(context, other),
  };
});
test.after((world) => world.close());

const unknownIds = [
  '01890000-0000-7000-8000-000000000000',
  '00000000-0000-0000-0000-000000000000',
  'x',
  '1',
  '-1',
  'null',
  "' or 1=1 --",
  '../scans',
  'a/b',
  '%',
  '%2e%2e',
  'ü',
  '\u{1f600}',
  'a'.repeat(3_000),
];

for (const operation of scanOperations) {
  test(`rest: ${operation} answers byte for byte alike for unknown ids and for another org's scans`, async (context) => {
    const { org, foreign, ...world } = context;
    const bodies = new Set<string>();
    for (const runId of [...unknownIds, foreign.queued, foreign.completed]) {
      const outcome = await world.rest(operation, { runId }, { key: org.key });
      assertRefused(outcome, 'rest', 'NOT_FOUND');
      bodies.add(withoutRequestId(outcome));
    }
    assert.is(bodies.size, 1, [...bodies].join('\n'));
  });

  test(`grpc: ${operation} answers alike for unknown ids and for another org's scans`, async (context) => {
    const { org, foreign, ...world } = context;
    const outcomes = new Set<string>();
    for (const runId of [...unknownIds, '', foreign.queued, foreign.completed]) {
      const outcome = await world.grpc(operation, { runId }, { key: org.key });
      assertRefused(outcome, 'grpc', 'NOT_FOUND');
      outcomes.add(JSON.stringify([outcome.status, outcome.body]));
    }
    assert.is(outcomes.size, 1);
  });
}

for (const way of ways) {
  test(`${way}: does not find another org's scan by its id in capitals`, async ({ org, foreign, ...world }) => {
    const runId = foreign.completed.toUpperCase();
    assertRefused(await world[way]('ScanService/GetScan', { runId }, { key: org.key }), way, 'NOT_FOUND');
  });

  test(`${way}: does not cancel another org's scan`, async ({ org, foreign, ...world }) => {
    await world[way]('ScanService/CancelScan', { runId: foreign.queued }, { key: org.key });
    const outcome = await world.work('RunService/BeginRun', { runId: foreign.queued });
    assert.is(outcome.reason, 'OK');
  });

  test(`${way}: does not measure against another org's scan`, async ({ org, foreign, ...world }) => {
    const runId = await complete(world, org);
    for (const baseline of [foreign.completed, '01890000-0000-7000-8000-000000000000', 'x']) {
      const outcome = await world[way]('ScanService/GetGate', { runId, scope: 'new', baseline }, { key: org.key });
      assertRefused(outcome, way, 'NOT_FOUND');
    }
  });
}

test('answers 404 for paths that the API does not have', async ({ org, ...world }) => {
  for (const path of [
    '/',
    '/api/v1',
    '/api/v2/scans',
    '/api/v1/scans/',
    '/api/v1/nothing',
    '/openapi',
    '/api/v1/scans/a/b',
  ]) {
    const answer = await fetch(`${world.baseUrl}${path}`, { headers: { authorization: `Bearer ${org.key}` } });
    assert.is(answer.status, 404, path);
    assert.match(answer.headers.get('content-type') ?? '', 'application/problem+json');
  }
});

test.run();
