import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstRows } from '../support/further.ts';
import { allOperations, anyRequest } from './support/operations.ts';
import { allScopes, approve, createOrg, type TestOrg } from './support/orgs.ts';
import { assertRefused } from './support/refusals.ts';
import { complete, start } from './support/scans.ts';
import { fieldOf, listOf } from './support/values.ts';
import { startWorld, type World, ways } from './support/world.ts';

const test = suite('403', {} as World);
test.before(async (context) => {
  Object.assign(context, await startWorld());
});
test.after((world) => world.close());

const scopeOf: Record<string, string> = {
  'ScanService/StartScan': 'scans:write',
  'ScanService/CancelScan': 'scans:write',
  'DomainService/PutLogin': 'domains:write',
  'DomainService/PutScope': 'domains:write',
  'DomainService/RegisterDomain': 'domains:write',
  'DomainService/DeleteDomain': 'domains:write',
  'DomainService/VerifyDomain': 'domains:write',
  'DomainService/DeleteLogin': 'domains:write',
  'OrgService/UpdateOrg': 'org:write',
  'AuditLogService/ListAuditLog': 'org:write',
  'KeyService/CreateOrgKey': 'keys:write',
  'KeyService/ListOrgKeys': 'keys:write',
  'KeyService/RotateOrgKey': 'keys:write',
  'KeyService/RevokeOrgKey': 'keys:write',
  'ScanService/UpdateFinding': 'findings:write',
};

const refused = new Map<string, Promise<TestOrg>>();

/** One for all requests that are refused alike, since they change nothing. */
function refusedOrg(world: World, settings: { plan: string } | { scopes: string[] }): Promise<TestOrg> {
  const key = JSON.stringify(settings);
  const org = refused.get(key) ?? createOrg(world, { ...settings, domains: [], credits: 0 });
  refused.set(key, org);
  return org;
}

for (const way of ways) {
  for (const operation of firstRows(allOperations, way === 'rest' ? 12 : 3)) {
    test(`${way}: ${operation} needs a plan with API access`, async (world) => {
      const { key } = await refusedOrg(world, { plan: 'free' });
      const outcome = await world[way](operation, anyRequest[operation], { key });
      assertRefused(outcome, way, 'API_ACCESS_NOT_IN_PLAN');
      assert.type(fieldOf(outcome.body, 'requiredEntitlement'), 'string');
    });

    test(`${way}: ${operation} needs its scope, and says which`, async (world) => {
      const needed = scopeOf[operation] ?? 'scans:read';
      const scopes = allScopes.filter((scope) => scope !== needed);
      const { key } = await refusedOrg(world, { scopes });
      const outcome = await world[way](operation, anyRequest[operation], { key });
      assertRefused(outcome, way, 'INSUFFICIENT_SCOPE');
      assert.is(fieldOf(outcome.body, 'requiredScope'), needed);
    });
  }

  test(`${way}: follows a change of plan from the next request on`, async (world) => {
    const { orgId, key } = await createOrg(world, { plan: 'team' });
    const list = () => world[way]('ScanService/ListScans', {}, { key });
    assert.is((await list()).reason, 'OK');
    await world.operate('OrgService/SetPlan', { orgId, plan: 'free' });
    assertRefused(await list(), way, 'API_ACCESS_NOT_IN_PLAN');
    await world.operate('OrgService/SetPlan', { orgId, plan: 'business' });
    assert.is((await list()).reason, 'OK');
  });

  test(`${way}: asks for a proof of ownership of a domain that the org has not verified`, async (world) => {
    const { key } = await createOrg(world, { domains: ['example.com'] });
    for (const [url, domain] of [
      ['other.example', 'other.example'],
      ['https://www.shop.co.uk/a', 'shop.co.uk'],
      ['notexample.com', 'notexample.com'],
      ['example.com.evil.net', 'evil.net'],
      ['192.0.2.9', '192.0.2.9'],
    ] as const) {
      const outcome = await world[way]('ScanService/StartScan', { url }, { key });
      assertRefused(outcome, way, 'DOMAIN_NOT_VERIFIED');
      assert.is(fieldOf(outcome.body, 'needsOwnership'), true);
      assert.is(fieldOf(outcome.body, 'ownership.domain'), domain, url);
      assert.ok(listOf(outcome.body, 'ownership.methods').length > 0);
    }
  });

  test(`${way}: asks for it also when another org has verified the domain, without saying so`, async (world) => {
    await createOrg(world, { domains: ['taken.example'] });
    const { key } = await createOrg(world);
    const taken = await world[way]('ScanService/StartScan', { url: 'taken.example' }, { key });
    const free = await world[way]('ScanService/StartScan', { url: 'fresh.example' }, { key });
    assertRefused(taken, way, 'DOMAIN_NOT_VERIFIED');
    const same = (value: unknown) => JSON.stringify(value).replaceAll(/taken|fresh/g, 'some');
    assert.is(same(taken.body), same(free.body));
  });

  test(`${way}: covers subdomains only where the proof does`, async (world) => {
    const { orgId, key } = await createOrg(world, { domains: [] });
    await world.operate('DomainService/ApproveDomain', { orgId, domain: 'exact.example', includeSubdomains: false });
    await approve(world, orgId, 'wide.example');
    const ask = async (url: string) => (await world[way]('ScanService/StartScan', { url }, { key })).reason;
    assert.is(await ask('exact.example'), 'OK');
    assert.is(await ask('www.exact.example'), 'DOMAIN_NOT_VERIFIED');
    assert.is(await ask('a.b.wide.example'), 'OK');
  });

  test(`${way}: ends the right to scan when the domain is withdrawn`, async (world) => {
    const { orgId, key } = await createOrg(world);
    await world.operate('DomainService/WithdrawDomain', { orgId, domain: 'example.com' });
    const outcome = await world[way]('ScanService/StartScan', { url: 'example.com' }, { key });
    assertRefused(outcome, way, 'DOMAIN_NOT_VERIFIED');
  });

  test(`${way}: needs the Deep entitlement for a deep scan, and for nothing else`, async (world) => {
    const { key } = await createOrg(world, { plan: 'team' });
    const deep = await world[way]('ScanService/StartScan', { url: 'example.com', depth: 'deep' }, { key });
    assertRefused(deep, way, 'DEEP_NOT_ENTITLED');
    assert.is(fieldOf(deep.body, 'requiredEntitlement'), 'deep');
    assert.not('needsOwnership' in (deep.body as object));
    assert.is((await world[way]('ScanService/StartScan', { url: 'example.com' }, { key })).reason, 'OK');
  });
}

test('lets an org without the right to start go on reading what it has', async (world) => {
  const org = await createOrg(world);
  const runId = await complete(world, org);
  await world.operate('DomainService/WithdrawDomain', { orgId: org.orgId, domain: 'example.com' });
  for (const operation of ['GetScan', 'ListFindings', 'GetReport', 'GetSurface', 'GetGate']) {
    assert.is((await world.rest(`ScanService/${operation}`, { runId }, { key: org.key })).status, 200, operation);
  }
});

test('grpc: lets no customer call what is for operators and workers', async (world) => {
  const org = await createOrg(world);
  const runId = await start(world, org);
  for (const [operation, request] of [
    ['KeyService/IssueKey', { kind: 'operator', name: 'mine' }],
    ['KeyService/ListKeys', { orgId: org.orgId }],
    ['OrgService/SetPlan', { orgId: org.orgId, plan: 'business' }],
    ['OrgService/CreateOrg', { name: 'mine', plan: 'business' }],
    ['CreditService/GrantCredits', { orgId: org.orgId, amount: 1, idempotencyKey: 'mine' }],
    ['DomainService/ApproveDomain', { orgId: org.orgId, domain: 'victim.example' }],
    ['RunService/BeginRun', { runId }],
    ['RunService/FinishRun', { runId, outcome: 'completed' }],
    ['RunService/OpenSecret', { runId, ref: 'login:a' }],
  ] as const) {
    assertRefused(await world.grpc(operation, request, { key: org.key }), 'grpc', 'WRONG_KEY_KIND');
  }
});

for (const way of ways) {
  test(`${way}: lets no worker and no operator call what is for customers`, async (world) => {
    for (const key of [world.workerKey, world.operatorKey]) {
      for (const operation of allOperations) {
        assertRefused(await world[way](operation, anyRequest[operation], { key }), way, 'WRONG_KEY_KIND');
      }
    }
  });
}

test('rest: names no org for a key that belongs to none', async (world) => {
  const { orgId } = await createOrg(world);
  const issued = await world.operate('KeyService/IssueKey', { kind: 'service', name: 's', scopes: ['scans:read'] });
  const key = String(fieldOf(issued.body, 'secret'));
  const headers = { 'x-scan-audit-org': orgId };
  assert.is((await world.grpc('ScanService/ListScans', {}, { key, headers })).reason, 'OK');
  assert.is((await world.rest('ScanService/ListScans', {}, { key, headers })).status, 400);
});

test('grpc: ignores the org that a customer names', async (world) => {
  const victim = await createOrg(world);
  await start(world, victim);
  const { key } = await createOrg(world);
  const headers = { 'x-scan-audit-org': victim.orgId };
  assert.equal(listOf((await world.grpc('ScanService/ListScans', {}, { key, headers })).body, 'items'), []);
});

test.run();
