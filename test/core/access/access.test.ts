import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AccessService } from '../../../proto/gen/scanaudit/v1/access_pb.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { RunService } from '../../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanService, type Threshold } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { isRefused, issueServiceKey, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('access');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

test('an org key sees its org', async () => {
  const { key, orgId } = await newOrg(core);
  const org = await core.as(key)(OrgService).getOrg({});
  assert.is(org.orgId, orgId);
  assert.is(org.plan, 'test');
});

test('a call without a key, or with another scheme than Bearer, misses one', async () => {
  await isRefused(core.as()(OrgService).getOrg({}), 'MISSING_KEY');
  await isRefused(
    core
      .as()(OrgService)
      .getOrg({}, { headers: { authorization: 'Basic abc' } }),
    'MISSING_KEY',
  );
});

test('an org key of a plan without API access may do nothing', async () => {
  const { key } = await newOrg(core, { plan: 'free' });
  await isRefused(core.as(key)(OrgService).getOrg({}), 'API_ACCESS_NOT_IN_PLAN');
  await isRefused(core.as(key)(KeyService).listKeys({}), 'API_ACCESS_NOT_IN_PLAN');
});

test('a change of plan acts on the next request', async () => {
  const { key, orgId } = await newOrg(core, { plan: 'free' });
  await core.operator(OrgService).setPlan({ orgId, plan: 'team' });
  assert.is((await core.as(key)(OrgService).getOrg({})).plan, 'team');
  await core.operator(OrgService).setPlan({ orgId, plan: 'free' });
  await isRefused(core.as(key)(OrgService).getOrg({}), 'API_ACCESS_NOT_IN_PLAN');
});

test('a key without the scope is refused with the name of that scope', async () => {
  const { key } = await newOrg(core, { scopes: ['scans:read'] });
  const error = await refused(core.as(key)(OrgService).updateOrg({}));
  assert.is(error.reason, 'INSUFFICIENT_SCOPE');
  assert.match(error.message, 'org:write');
});

test('each kind of key is refused what is for others', async () => {
  const { key } = await newOrg(core);
  await isRefused(core.as(key)(OrgService).createOrg({ name: 'x', plan: 'team' }), 'WRONG_KEY_KIND');
  await isRefused(core.as(key)(RunService).getRun({ runId: 'x' }), 'WRONG_KEY_KIND');
  await isRefused(core.operator(OrgService).getOrg({}), 'WRONG_KEY_KIND');
  const worker = await core.operator(KeyService).issueKey({ kind: KeyKind.WORKER, name: 'worker' });
  await isRefused(core.as(worker.secret)(ScanService).listScans({}), 'WRONG_KEY_KIND');
  await isRefused(
    core
      .as(await issueServiceKey(core))(KeyService)
      .listKeys({}),
    'WRONG_KEY_KIND',
  );
});

test('a service key acts for the org that it names', async () => {
  const { orgId } = await newOrg(core, { plan: 'free' });
  const service = core.as(await issueServiceKey(core));
  const named = { headers: { 'x-scan-audit-org': orgId } };
  assert.is((await service(OrgService).getOrg({}, named)).orgId, orgId);
  await isRefused(service(OrgService).getOrg({}), 'INVALID_PARAMETER');
  for (const unknown of ['00000000-0000-4000-8000-000000000000', 'acme'])
    await isRefused(service(OrgService).getOrg({}, { headers: { 'x-scan-audit-org': unknown } }), 'NOT_FOUND');
});

test('a service key needs the scope, an operator does not', async () => {
  const { orgId } = await newOrg(core);
  const request = { orgId, amount: 1, reason: 'test', idempotencyKey: 'a' };
  const service = core.as(await issueServiceKey(core));
  await isRefused(service(CreditService).grantCredits(request), 'INSUFFICIENT_SCOPE');
  const granter = core.as(await issueServiceKey(core, ['credits:grant']));
  assert.is((await granter(CreditService).grantCredits(request)).credit?.available, 1);
  assert.is((await core.operator(CreditService).grantCredits(request)).credit?.available, 1);
});

test('an org key cannot name another org', async () => {
  const [mine, other] = [await newOrg(core), await newOrg(core)];
  const named = { headers: { 'x-scan-audit-org': other.orgId } };
  assert.is((await core.as(mine.key)(OrgService).getOrg({}, named)).orgId, mine.orgId);
});

test('a check answers with the refusal of the call that it names', async () => {
  const { key } = await newOrg(core, { scopes: ['scans:read'] });
  const check = (method: string, secret = key) => core.as(secret)(AccessService).check({ method });
  await check('');
  await check('scanaudit.v1.ScanService/GetScan');
  await isRefused(check('scanaudit.v1.ScanService/StartScan'), 'INSUFFICIENT_SCOPE');
  await isRefused(check('scanaudit.v1.RunService/GetRun'), 'WRONG_KEY_KIND');
  await isRefused(check('scanaudit.v1.ScanService/GetScan', 'sa_nonsense'), 'INVALID_KEY');
  const free = await newOrg(core, { plan: 'free' });
  await isRefused(check('scanaudit.v1.ScanService/StartScan', free.key), 'API_ACCESS_NOT_IN_PLAN');
});

test('text with U+0000 and unknown enum values are refused by field', async () => {
  const { key } = await newOrg(core);
  const error = await refused(core.as(key)(DomainService).getLogin({ domain: 'example.com', name: 'a\0' }));
  assert.is(error.reason, 'INVALID_PARAMETER');
  assert.match(error.message, 'name');
  const threshold = 99 as Threshold;
  await isRefused(core.as(key)(OrgService).updateOrg({ gatePolicy: { threshold } }), 'INVALID_PARAMETER');
});

test.run();
