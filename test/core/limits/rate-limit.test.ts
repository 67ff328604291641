import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Bucket } from '../../../core/limits/buckets.ts';
import { takeTokens } from '../../../core/limits/take-tokens.ts';
import { AccessService } from '../../../proto/gen/scanaudit/v1/access_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { ScanService } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('rate limit');
test.before(async () => {
  core = await startCore();
  const common = { apiAccess: true, deep: true, retentionDays: 1 };
  const { putPlan } = core.operator(OrgService);
  await putPlan({ plan: { ...common, name: 'slow', requestsPerMinute: 6, startsPerMinute: 2 } });
  await putPlan({ plan: { ...common, name: 'brisk', requestsPerMinute: 120, startsPerMinute: 100_000 } });
});
test.after(() => core.close());

const bucket = (id: string, perMinute: number): Bucket => ({ id, policyName: 'requests', perMinute });
const take = (...buckets: Bucket[]) => takeTokens(core.program.core.em.fork(), buckets);

test('50 calls at once on 6 a minute: 6 pass', async () => {
  const taken = await Promise.all(Array.from({ length: 50 }, () => take(bucket('race', 6))));
  assert.is(taken.flat().filter(({ isAllowed }) => isAllowed).length, 6);
});

test('the wait that is told is exact', async () => {
  const fast = bucket('wait', 120);
  for (let [last] = await take(fast); last?.isAllowed; [last] = await take(fast));
  const [refusedOne] = await take(fast);
  const waitMs = refusedOne?.waitMs ?? 0;
  assert.ok(waitMs > 0 && waitMs <= 500, `${waitMs} ms to the next of 120 a minute`);
  const startedAt = performance.now();
  await sleep(Math.max(0, waitMs - 30));
  const [early] = await take(fast);
  if (performance.now() - startedAt < waitMs) assert.is(early?.isAllowed, false, 'not before');
  await sleep(waitMs);
  const [after] = await take(fast);
  assert.is(after?.isAllowed, true);
});

test('a bucket is refilled evenly and holds a minute’s worth at most', async () => {
  const [first] = await take(bucket('even', 6));
  assert.is(first?.remaining, 5);
  assert.ok((first?.resetMs ?? 0) > 9_900 && (first?.resetMs ?? 0) <= 10_000, 'a sixth of a minute for a sixth');
  const [fresh] = await take(bucket('even-2', 1_000_000));
  assert.is(fresh?.remaining, 999_999);
});

test('of two buckets none gives a token when one is empty', async () => {
  const [full, empty] = [bucket('both-a', 10), bucket('both-b', 1)];
  await take(full, empty);
  for (let i = 0; i < 5; i++) {
    const [a, b] = await take(full, empty);
    assert.equal([a?.isAllowed, b?.isAllowed], [true, false]);
    assert.is(a?.remaining, 9, 'the full one keeps what it has');
  }
});

test('every answer tells what is left, errors too', async () => {
  const { key } = await newOrg(core, { plan: 'slow' });
  let headers = new Headers();
  await core
    .as(key)(OrgService)
    .getOrg({}, { onHeader: (given) => (headers = given) });
  assert.match(headers.get('ratelimit') ?? '', /^"requests";r=5;t=10$/);
  assert.is(headers.get('ratelimit-policy'), '"requests";q=6;w=60');
  const error = await refused(core.as(key)(ScanService).getScan({ runId: 'unknown' }));
  assert.is(error.reason, 'NOT_FOUND');
  assert.match(error.metadata.get('ratelimit') ?? '', /^"requests";r=4;t=\d+$/);
});

test('a client that waits as told gets through', async () => {
  const { key } = await newOrg(core, { plan: 'brisk' });
  const call = () => core.as(key)(OrgService).getOrg({});
  const burst = await Promise.allSettled(Array.from({ length: 150 }, call));
  assert.ok(burst.filter(({ status }) => status === 'fulfilled').length >= 120);
  const untilRefused = async () => {
    for (;;) await call();
  };
  const error = await refused(untilRefused());
  assert.is(error.reason, 'RATE_LIMITED');
  assert.ok(error.retryMs > 0 && error.retryMs <= 500, `${error.retryMs} ms`);
  await sleep(error.retryMs);
  await call();
});

test('a refused start leaves reading alone', async () => {
  const { key } = await newOrg(core, { plan: 'slow' });
  const start = () => core.as(key)(ScanService).startScan({ url: 'not a url' });
  await isRefused(start(), 'INVALID_URL');
  await isRefused(start(), 'INVALID_URL');
  for (let i = 0; i < 10; i++) {
    const error = await refused(start());
    assert.is(error.reason, 'RATE_LIMITED');
    assert.match(error.metadata.get('ratelimit') ?? '', /"requests";r=4;t=\d+, "starts";r=0;t=\d+/);
    assert.ok(error.retryMs > 29_000 && error.retryMs <= 30_000, 'half a minute for one of two');
  }
  for (let i = 0; i < 4; i++) await core.as(key)(OrgService).getOrg({});
  await isRefused(core.as(key)(OrgService).getOrg({}), 'RATE_LIMITED');
});

test('keys of an org have buckets of their own and share the one of starts', async () => {
  const first = await newOrg(core, { plan: 'slow' });
  const second = await newOrg(core, { plan: 'slow' });
  for (let i = 0; i < 6; i++) await core.as(first.key)(OrgService).getOrg({});
  await isRefused(core.as(first.key)(OrgService).getOrg({}), 'RATE_LIMITED');
  await core.as(second.key)(OrgService).getOrg({});
});

test('a check costs what the call that it names costs, once', async () => {
  const { key } = await newOrg(core, { plan: 'slow' });
  const check = () => core.as(key)(AccessService).check({ method: 'scanaudit.v1.ScanService/StartScan' });
  let headers = new Headers();
  await core
    .as(key)(AccessService)
    .check({ method: 'scanaudit.v1.ScanService/StartScan' }, { onHeader: (given) => (headers = given) });
  assert.match(headers.get('ratelimit') ?? '', /^"requests";r=5;t=\d+, "starts";r=1;t=\d+$/);
  await check();
  await isRefused(check(), 'RATE_LIMITED');
});

test('a call without a right to it costs nothing', async () => {
  const { key } = await newOrg(core, { plan: 'slow', scopes: ['scans:read'] });
  for (let i = 0; i < 10; i++) await isRefused(core.as(key)(OrgService).updateOrg({}), 'INSUFFICIENT_SCOPE');
  await core.as(key)(OrgService).getOrg({});
});

test.run();
