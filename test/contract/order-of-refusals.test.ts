import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { createOrg, issueKey } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('order of refusals', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

/** Everything is wrong with it that can be, from the 400 on. */
const badRequest = { url: 'https://user@other.example/' };

async function planWith(world: World, name: string, requestsPerMinute: number, startsPerMinute: number) {
  const limits = { requestsPerMinute, startsPerMinute, orgRequestsPerMinute: 100_000 };
  await world.operate('OrgService/PutPlan', {
    plan: { name, apiAccess: true, deep: false, retentionDays: 1, ...limits },
  });
  return name;
}

for (const way of firstRows(ways, 1)) {
  test(`${way}: 401, plan, scope, rate, 400, replay, starts, domain, deep, credit`, async (world) => {
    const start = (request: object, key?: string, idempotencyKey?: string) =>
      world[way]('ScanService/StartScan', request, {
        ...(key && { key }),
        ...(idempotencyKey && { headers: { 'idempotency-key': idempotencyKey } }),
      });
    const { orgId } = await createOrg(world, { plan: 'free', credits: 0, domains: [] });
    const readOnly = await issueKey(world, orgId, { scopes: ['scans:read'] });
    const key = await issueKey(world, orgId);
    assertRefused(await start(badRequest), way, 'MISSING_KEY');
    assertRefused(await start(badRequest, 'wrong'), way, 'INVALID_KEY');
    assertRefused(await start(badRequest, readOnly), way, 'API_ACCESS_NOT_IN_PLAN');
    await world.operate('OrgService/SetPlan', { orgId, plan: await planWith(world, 'few', 3, 1) });
    assertRefused(await start(badRequest, readOnly), way, 'INSUFFICIENT_SCOPE');
    let outcome = await start(badRequest, key);
    assertRefused(outcome, way, 'INVALID_URL');
    for (let sent = 1; sent < 100 && outcome.reason === 'INVALID_URL'; sent += 1)
      outcome = await start(badRequest, key);
    assertRefused(outcome, way, 'RATE_LIMITED');
    await world.operate('OrgService/SetPlan', { orgId, plan: await planWith(world, 'few-starts', 10_000, 1) });
    for (let sent = 0; sent < 3; sent += 1) assertRefused(await start(badRequest, key), way, 'INVALID_URL');
    assertRefused(await start({ url: 'other.example' }, key), way, 'DOMAIN_NOT_VERIFIED');
    assertRefused(await start({ url: 'other.example' }, key), way, 'RATE_LIMITED');
    assertRefused(await start(badRequest, key), way, 'INVALID_URL');
    // A plan with limits that no test reaches, but without what comes next.
    await world.operate('OrgService/SetPlan', { orgId, plan: 'test' });
    assertRefused(await start(badRequest, key), way, 'INVALID_URL');
    const deep = { url: 'example.com', depth: 'deep' };
    assertRefused(await start(deep, key), way, 'DOMAIN_NOT_VERIFIED');
    await world.operate('DomainService/ApproveDomain', { orgId, domain: 'example.com' });
    assertRefused(await start(deep, key), way, 'OUT_OF_CREDIT');
  });

  test(`${way}: the domain comes before the entitlement, and that before the credit`, async (world) => {
    const { orgId, key } = await createOrg(world, { plan: 'team', credits: 0, domains: [] });
    const deep = { url: 'example.com', depth: 'deep' };
    assertRefused(await world[way]('ScanService/StartScan', deep, { key }), way, 'DOMAIN_NOT_VERIFIED');
    await world.operate('DomainService/ApproveDomain', { orgId, domain: 'example.com' });
    assertRefused(await world[way]('ScanService/StartScan', deep, { key }), way, 'DEEP_NOT_ENTITLED');
    const standard = { url: 'example.com' };
    assertRefused(await world[way]('ScanService/StartScan', standard, { key }), way, 'OUT_OF_CREDIT');
  });

  test(`${way}: a replay comes before the domain and the credit`, async (world) => {
    const { orgId, key } = await createOrg(world, { credits: 1 });
    const sending = { key, headers: { 'idempotency-key': 'k' } };
    const first = await world[way]('ScanService/StartScan', { url: 'example.com' }, sending);
    await world.operate('DomainService/WithdrawDomain', { orgId, domain: 'example.com' });
    const replay = await world[way]('ScanService/StartScan', { url: 'example.com' }, sending);
    assert.equal(replay.body, first.body);
    const other = await world[way]('ScanService/StartScan', { url: 'other.example' }, sending);
    assertRefused(other, way, 'IDEMPOTENCY_KEY_REUSED');
  });

  test(`${way}: what is wrong with a request is reported only to who may make it`, async (world) => {
    const free = await createOrg(world, { plan: 'free', domains: [] });
    const unscoped = await createOrg(world, { scopes: ['org:write'] });
    const request = { limit: 0 };
    assertRefused(await world[way]('ScanService/ListScans', request), way, 'MISSING_KEY');
    assertRefused(await world[way]('ScanService/ListScans', request, free), way, 'API_ACCESS_NOT_IN_PLAN');
    assertRefused(await world[way]('ScanService/ListScans', request, unscoped), way, 'INSUFFICIENT_SCOPE');
    assertRefused(await world[way]('ScanService/ListScans', request, await createOrg(world)), way, 'INVALID_PARAMETER');
  });
}

/** Requests that the gateway refuses before core sees them, each with its status. */
const unreadable: [what: string, path: string, init: RequestInit, status: number][] = [
  ['malformed JSON', '/api/v1/scans', { method: 'POST', body: '{' }, 400],
  ['a repeated name', '/api/v1/scans', { method: 'POST', body: '{"url":"a.com","url":"b.com"}' }, 400],
  ['an unknown field', '/api/v1/scans', { method: 'POST', body: '{"link":"a.com"}' }, 400],
  ['a wrong depth', '/api/v1/scans', { method: 'POST', body: '{"url":"example.com","depth":"x"}' }, 400],
  ['an unknown parameter', '/api/v1/scans?colour=red', {}, 400],
  ['bad percent-encoding', '/api/v1/scans?host=%zz', {}, 400],
  [
    'another media type',
    '/api/v1/scans',
    { method: 'POST', body: 'a', headers: { 'content-type': 'text/plain' } },
    415,
  ],
  ['a body over 64 KiB', '/api/v1/scans', { method: 'POST', body: ' '.repeat(65_537) }, 413],
  ['an Accept that is not served', '/api/v1/scans', { headers: { accept: 'application/xml' } }, 406],
];
for (const [what, path, init, status] of unreadable) {
  test(`${what} is answered with ${status} only when nothing comes before it`, async (world) => {
    const ask = async (key?: string) => {
      const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) };
      const authorization = key ? { authorization: `Bearer ${key}` } : {};
      const answer = await fetch(`${world.baseUrl}${path}`, { ...init, headers: { ...headers, ...authorization } });
      const { code } = (await answer.json()) as { code: string };
      return [answer.status, code] as const;
    };
    const free = await createOrg(world, { plan: 'free', domains: [] });
    const unscoped = await createOrg(world, { scopes: ['org:write'] });
    assert.equal(await ask(), [401, 'missing_key']);
    assert.equal(await ask('wrong'), [401, 'invalid_key']);
    assert.equal(await ask(free.key), [403, 'api_access_not_in_plan']);
    assert.equal(await ask(unscoped.key), [403, 'insufficient_scope']);
    assert.equal(await ask(world.workerKey), [403, 'wrong_key_kind']);
    assert.is((await ask((await createOrg(world)).key))[0], status);
  });
}

test.run();
