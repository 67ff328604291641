import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Bucket } from '../../../core/limits/buckets.ts';
import { takeTokens } from '../../../core/limits/take-tokens.ts';
import { AccessService } from '../../../proto/gen/scanaudit/v1/access_pb.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { ScanService } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { further } from '../../support/further.ts';
import { approve, isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('rate limit');
test.before(async () => {
  core = await startCore();
  const common = { apiAccess: true, deep: true, retentionDays: 1 };
  const { putPlan } = core.operator(OrgService);
  await putPlan({ plan: { ...common, name: 'slow', requestsPerMinute: 6, startsPerMinute: 2 } });
  await putPlan({ plan: { ...common, name: 'brisk', requestsPerMinute: 120, startsPerMinute: 100_000 } });
  await putPlan({ plan: { ...common, name: 'brisk-slow-starts', requestsPerMinute: 120, startsPerMinute: 2 } });
});
test.after(() => core.close());

const bucket = (id: string, perMinute: number): Bucket => ({ id, policyName: 'requests', perMinute, cost: 1 });
const take = (...buckets: Bucket[]) => takeTokens(core.program.core.em.fork(), buckets);

test('50 calls at once on 6 a minute: 6 pass', async () => {
  const taken = await Promise.all(Array.from({ length: 50 }, () => take(bucket('race', 6))));
  assert.is(taken.flat().filter(({ isAllowed }) => isAllowed).length, 6);
});

test('the wait that is reported is exact', async () => {
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

test('every answer reports what is left, errors too', async () => {
  const { key } = await newOrg(core, { plan: 'slow' });
  let headers = new Headers();
  await core
    .as(key)(OrgService)
    .getOrg({}, { onHeader: (given) => (headers = given) });
  assert.match(headers.get('ratelimit') ?? '', /^"requests";r=5;t=10, "org-requests";r=29;t=2$/);
  assert.is(headers.get('ratelimit-policy'), '"requests";q=6;w=60, "org-requests";q=30;w=60');
  const error = await refused(core.as(key)(ScanService).getScan({ runId: 'unknown' }));
  assert.is(error.reason, 'NOT_FOUND');
  assert.match(error.metadata.get('ratelimit') ?? '', /^"requests";r=4;t=\d+, "org-requests";r=28;t=\d+$/);
});

further(test)('a client that waits as long as it is asked to gets through', async () => {
  const { key } = await newOrg(core, { plan: 'brisk' });
  const call = () => core.as(key)(OrgService).getOrg({}, { timeoutMs: 60_000 });
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

test('a start that is refused by the limit of starts leaves reading alone', async () => {
  const { key } = await newOrg(core, { plan: 'slow' });
  const start = () => core.as(key)(ScanService).startScan({ url: 'example.com' });
  const startedAt = performance.now();
  await isRefused(start(), 'DOMAIN_NOT_VERIFIED');
  await isRefused(start(), 'DOMAIN_NOT_VERIFIED');
  for (let i = 0; i < 10; i++) {
    const error = await refused(start());
    assert.is(error.reason, 'RATE_LIMITED');
    assert.match(error.metadata.get('ratelimit') ?? '', /"requests";r=4;t=\d+, "starts";r=0;t=\d+/);
    const elapsedMs = performance.now() - startedAt;
    assert.ok(error.retryMs <= 30_000 && error.retryMs + elapsedMs >= 29_999, 'half a minute for one of two');
  }
  for (let i = 0; i < 4; i++) await core.as(key)(OrgService).getOrg({});
  await isRefused(core.as(key)(OrgService).getOrg({}), 'RATE_LIMITED');
});

test('a start that is invalid, or only replayed, uses up nothing of the limit of starts', async () => {
  const { orgId, key } = await newOrg(core, { plan: 'brisk-slow-starts' });
  await core.operator(CreditService).grantCredits({ orgId, amount: 10, reason: 'test', idempotencyKey: orgId });
  await approve(core, orgId, 'example.com');
  const start = (url: string, idempotency?: string) =>
    core
      .as(key)(ScanService)
      .startScan({ url }, { ...(idempotency && { headers: { 'idempotency-key': idempotency } }) });
  for (let i = 0; i < 5; i++) await isRefused(start('not a url'), 'INVALID_URL');
  for (let i = 0; i < 5; i++) await isRefused(start('example.com', 'k'.repeat(256)), 'INVALID_PARAMETER');
  const { runId } = await start('example.com', 'a');
  for (let i = 0; i < 5; i++) assert.is((await start('example.com', 'a')).runId, runId);
  await isRefused(start('other.example', 'a'), 'IDEMPOTENCY_KEY_REUSED');
  await isRefused(start('other.example'), 'DOMAIN_NOT_VERIFIED');
  await isRefused(start('example.com'), 'RATE_LIMITED');
  assert.is((await start('example.com', 'a')).runId, runId, 'a replay comes before the limit');
});

test('keys of an org have buckets of their own, and share that of the org: a new key gives no new budget', async () => {
  await core.operator(OrgService).putPlan({
    plan: {
      ...{ name: 'shared', apiAccess: true, deep: false, retentionDays: 1 },
      ...{ requestsPerMinute: 4, startsPerMinute: 1, orgRequestsPerMinute: 6 },
    },
  });
  const { orgId, key } = await newOrg(core, { plan: 'shared' });
  const more = () =>
    core.operator(KeyService).issueKey({ kind: KeyKind.ORG, orgId, name: 'x', scopes: ['scans:read'] });
  const call = (secret: string) => core.as(secret)(OrgService).getOrg({});
  for (let i = 0; i < 4; i++) await call(key);
  await isRefused(call(key), 'RATE_LIMITED');
  const { secret } = await more();
  for (let i = 0; i < 2; i++) await call(secret);
  for (const each of [secret, (await more()).secret]) {
    const error = await refused(call(each));
    assert.is(error.reason, 'RATE_LIMITED');
    assert.match(error.rawMessage, 'keys together');
  }
  const other = await newOrg(core, { plan: 'shared' });
  await call(other.key);
});

test('a check costs what the call that it names costs, but starts nothing', async () => {
  const { key } = await newOrg(core, { plan: 'slow' });
  const left = async () => {
    let headers = new Headers();
    await core
      .as(key)(AccessService)
      .check({ method: 'scanaudit.v1.ScanService/StartScan' }, { onHeader: (given) => (headers = given) });
    return headers.get('ratelimit') ?? '';
  };
  assert.match(await left(), /^"requests";r=5;t=\d+, "starts";r=2;t=\d+/);
  assert.match(await left(), /^"requests";r=4;t=\d+, "starts";r=2;t=\d+/);
});

test('a call without a right to it costs nothing', async () => {
  const { key } = await newOrg(core, { plan: 'slow', scopes: ['scans:read'] });
  for (let i = 0; i < 10; i++) await isRefused(core.as(key)(OrgService).updateOrg({}), 'INSUFFICIENT_SCOPE');
  await core.as(key)(OrgService).getOrg({});
});

test.run();
