import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { further } from '../support/further.ts';
import { createOrg, issueKey, type TestOrg } from './support/orgs.ts';
import { start } from './support/scans.ts';
import { startWorld, type World, ways } from './support/world.ts';

type Context = World & { twin: Awaited<ReturnType<World['startTwin']>> };
const test = suite('rate limits', {} as Context);
test.before(async (context) => {
  const world = await startWorld();
  Object.assign(context, world, { twin: await world.startTwin() });
});
test.after(async ({ twin, close }) => {
  await twin.close();
  await close();
});

/** A plan whose tokens come back so slowly that a burst meets only those that were there. */
async function planWith(world: World, name: string, limits: { requestsPerMinute: number; startsPerMinute: number }) {
  const plan = { name, apiAccess: true, deep: false, retentionDays: 1, ...limits };
  await world.operate('OrgService/PutPlan', { plan });
  return name;
}

/** Tokens that came back while a burst was sent. */
const returned = (elapsedMs: number, perMinute: number) => Math.floor((elapsedMs * perMinute) / 60_000);

test('are exact for one key over two gateways and two cores, however many ask at once', async (world) => {
  const perMinute = 6;
  const plan = await planWith(world, 'six', { requestsPerMinute: perMinute, startsPerMinute: 1_000 });
  const { key } = await createOrg(world, { plan });
  const startedAt = performance.now();
  const apis = [world.rest, world.twin.rest];
  const burst = Array.from({ length: 60 }, (_, index) => apis[index % 2]?.('OrgService/GetOrg', {}, { key }));
  const outcomes = await Promise.all(burst);
  const elapsedMs = performance.now() - startedAt;
  const passed = outcomes.filter((outcome) => outcome?.reason === 'OK').length;
  assert.ok(
    passed >= perMinute && passed <= perMinute + returned(elapsedMs, perMinute),
    `${passed} in ${elapsedMs} ms`,
  );
  const refused = outcomes.filter((outcome) => outcome?.reason !== 'OK');
  assert.equal(new Set(refused.map((outcome) => outcome?.reason)), new Set(['RATE_LIMITED']));
});

further(test)('of starts are exact for all keys of an org over two gateways, and never stop reading', async (world) => {
  const perMinute = 3;
  const plan = await planWith(world, 'three', { requestsPerMinute: 10_000, startsPerMinute: perMinute });
  const { orgId, key } = await createOrg(world, { plan });
  const keys = [key, await issueKey(world, orgId)];
  const apis = [world.rest, world.twin.rest];
  const startedAt = performance.now();
  const starts = Array.from({ length: 40 }, (_, index) =>
    apis[index % 2]?.('ScanService/StartScan', { url: 'example.com' }, { key: keys[(index >> 1) % 2] ?? key }),
  );
  const reads = Array.from({ length: 40 }, (_, index) => apis[index % 2]?.('ScanService/ListScans', {}, { key }));
  const [started, read] = await Promise.all([Promise.all(starts), Promise.all(reads)]);
  const elapsedMs = performance.now() - startedAt;
  const passed = started.filter((outcome) => outcome?.status === 201).length;
  assert.ok(
    passed >= perMinute && passed <= perMinute + returned(elapsedMs, perMinute),
    `${passed} in ${elapsedMs} ms`,
  );
  assert.ok(started.every((outcome) => outcome?.status === 201 || outcome?.status === 429));
  assert.ok(read.every((outcome) => outcome?.status === 200));
});

/** An answer of each kind that a known key can have. */
const answers: [name: string, status: number, ask: (world: Context, org: TestOrg) => [string, object, object?]][] = [
  ['a success', 200, () => ['ScanService/ListScans', {}]],
  ['a start', 201, () => ['ScanService/StartScan', { url: 'example.com' }]],
  ['a parameter that is wrong', 400, () => ['ScanService/ListScans', { limit: 0 }]],
  ['a parameter that is unknown', 400, () => ['ScanService/ListScans', { colour: 'red' }]],
  ['too little credit', 402, () => ['ScanService/StartScan', { url: 'example.com', depth: 'deep' }]],
  ['a domain of nobody', 403, () => ['ScanService/StartScan', { url: 'other.example' }]],
  ['what is not there', 404, () => ['ScanService/GetScan', { runId: 'unknown' }]],
  ['a medium that is not served', 406, () => ['ScanService/ListScans', {}, { accept: 'text/csv' }]],
];
for (const [name, status, request] of answers) {
  test(`are reported with every answer: ${status}, ${name}`, async (world) => {
    const org = await createOrg(world, { credits: 1 });
    const [operation, body, headers = {}] = request(world, org);
    const outcome = await world.rest(operation, body, { key: org.key, headers: headers as Record<string, string> });
    assert.is(outcome.status, status, outcome.text);
    assertLimits(outcome);
  });
}

test('are reported with every answer: 409, findings of a scan that goes on', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  const outcome = await world.rest('ScanService/ListFindings', { runId }, org);
  assert.is(outcome.status, 409);
  assertLimits(outcome);
});

test('are reported with every answer: 413, a body that is too large', async (world) => {
  const { key } = await createOrg(world);
  const answer = await fetch(`${world.baseUrl}/api/v1/scans`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: ' '.repeat(65_537),
  });
  assert.is(answer.status, 413);
  assertLimits({ header: (name) => answer.headers.get(name) ?? undefined });
  await answer.body?.cancel();
});

test('are reported with every answer: 429, with when to come back', async (world) => {
  const plan = await planWith(world, 'one', { requestsPerMinute: 1, startsPerMinute: 1 });
  const { key } = await createOrg(world, { plan });
  const ask = () => world.rest('OrgService/GetOrg', {}, { key });
  await ask();
  const refused = await ask();
  assert.is(refused.status, 429);
  assertLimits(refused);
  assert.match(refused.header('ratelimit') ?? '', '"requests";r=0;t=');
  const seconds = Number(refused.header('retry-after'));
  assert.ok(seconds > 30 && seconds <= 60, `${seconds}`);
});

for (const way of ways) {
  test(`${way}: are reported to a key that may not make the call, which costs it nothing`, async (world) => {
    for (const settings of [{ plan: 'free', domains: [] }, { scopes: ['scans:read'] }]) {
      const { key } = await createOrg(world, settings);
      const ask = () => world[way]('OrgService/UpdateOrg', {}, { key });
      const [first, second] = [await ask(), await ask()];
      assert.match(first.reason, /^(?:API_ACCESS_NOT_IN_PLAN|INSUFFICIENT_SCOPE)$/);
      assertLimits(first);
      const left = ({ header }: typeof first) => /r=(\d+)/.exec(header('ratelimit') ?? '')?.[1];
      assert.is(left(second), left(first));
    }
  });
}

test('are no secret that a key can be guessed by: who has none learns nothing of them', async (world) => {
  const outcome = await world.rest('OrgService/GetOrg', {}, { key: 'sa_unknown' });
  assert.equal([outcome.status, outcome.header('ratelimit')], [401, undefined]);
});

function assertLimits({ header }: { header(name: string): string | undefined }): void {
  assert.match(
    header('ratelimit') ?? 'no RateLimit',
    /^"requests";r=\d+;t=\d+(?:, "starts";r=\d+;t=\d+)?, "org-requests";r=\d+;t=\d+$/,
  );
  assert.match(
    header('ratelimit-policy') ?? 'no RateLimit-Policy',
    /^"requests";q=\d+;w=60(?:, "starts";q=\d+;w=60)?, "org-requests";q=\d+;w=60$/,
  );
}

test.run();
