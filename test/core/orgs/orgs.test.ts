import { toJsonString } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AuditLogService, ListAuditLogResponseSchema } from '../../../proto/gen/scanaudit/v1/audit_log_pb.ts';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { Threshold } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('orgs and credit');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

const grant = (orgId: string, amount: number, idempotencyKey = 'a', reason = 'order 17') =>
  core.operator(CreditService).grantCredits({ orgId, amount, reason, idempotencyKey });

test('an org shows its plan, entitlements, limits and credit', async () => {
  const { key, orgId } = await newOrg(core, { plan: 'business' });
  await grant(orgId, 12);
  const org = await core.as(key)(OrgService).getOrg({});
  assert.is(org.name, 'Example');
  assert.equal([org.plan, org.entitlements?.apiAccess, org.entitlements?.deep], ['business', true, true]);
  assert.equal([org.limits?.requestsPerMinute, org.limits?.startsPerMinute], [120, 20]);
  assert.equal([org.credit?.available, org.credit?.reserved], [12, 0]);
  assert.is(org.gatePolicy?.threshold, Threshold.UNSPECIFIED);
});

test('a plan gives what it says', async () => {
  const { orgId } = await newOrg(core);
  for (const [plan, apiAccess, deep] of [
    ['free', false, false],
    ['team', true, false],
    ['business', true, true],
  ] as const) {
    const org = await core.operator(OrgService).setPlan({ orgId, plan });
    assert.equal([org.plan, org.entitlements?.apiAccess, org.entitlements?.deep], [plan, apiAccess, deep]);
  }
});

test('the gate policy is kept, and stays when none is given', async () => {
  const { key } = await newOrg(core);
  const client = core.as(key)(OrgService);
  await client.updateOrg({ gatePolicy: { threshold: Threshold.LOW } });
  assert.is((await client.updateOrg({})).gatePolicy?.threshold, Threshold.LOW);
  assert.is((await client.getOrg({})).gatePolicy?.threshold, Threshold.LOW);
});

const { BLOCKED, BUDGET, UNDO_FAILED, WOULD_WRITE } = OmissionCode;

test('a gate policy accepts gaps, each with a reason and perhaps an end, and replaces the one before', async () => {
  const { key } = await newOrg(core);
  const client = core.as(key)(OrgService);
  const expiresAt = timestampFromDate(new Date('2099-01-01T00:00:00Z'));
  const gatePolicy = {
    threshold: Threshold.LOW,
    acceptedGaps: [
      { code: BLOCKED, reason: 'the firewall stays', expiresAt },
      { code: BUDGET, reason: 'a large shop' },
    ],
  };
  await client.updateOrg({ gatePolicy });
  const kept = (await client.getOrg({})).gatePolicy;
  assert.equal(
    kept?.acceptedGaps.map(({ code, reason, expiresAt: end }) => [code, reason, end?.seconds]),
    [
      [BUDGET, 'a large shop', undefined],
      [BLOCKED, 'the firewall stays', expiresAt.seconds],
    ],
  );
  const { gatePolicy: replaced } = await client.updateOrg({ gatePolicy: { threshold: Threshold.LOW } });
  assert.equal(replaced?.acceptedGaps, []);
  const log = await core.as(key)(AuditLogService).listAuditLog({});
  assert.match(toJsonString(ListAuditLogResponseSchema, log), /the firewall stays/);
});

test('a gate policy accepts neither limits, nor changes that are left, nor a gap twice or without a reason', async () => {
  const { key } = await newOrg(core);
  const client = core.as(key)(OrgService);
  const past = timestampFromDate(new Date(0));
  for (const acceptedGaps of [
    [{ code: WOULD_WRITE, reason: 'x' }],
    [{ code: UNDO_FAILED, reason: 'x' }],
    [{ reason: 'x' }],
    [{ code: BLOCKED, reason: '' }],
    [{ code: BLOCKED, reason: '  ' }],
    [{ code: BLOCKED, reason: 'x'.repeat(1_001) }],
    [{ code: BLOCKED, reason: 'x', expiresAt: past }],
    [
      { code: BLOCKED, reason: 'x' },
      { code: BLOCKED, reason: 'y' },
    ],
  ])
    await isRefused(client.updateOrg({ gatePolicy: { acceptedGaps } }), 'INVALID_PARAMETER');
});

test('credit granted twice under one key is granted once', async () => {
  const { orgId } = await newOrg(core);
  await grant(orgId, 5);
  assert.is((await grant(orgId, 5)).credit?.available, 5);
  assert.is((await grant(orgId, 5, 'b')).credit?.available, 10);
});

test('the same key of another org is another key', async () => {
  const [a, b] = [await newOrg(core), await newOrg(core)];
  await grant(a.orgId, 5);
  assert.is((await grant(b.orgId, 7)).credit?.available, 7);
});

test('what makes no sense is refused by field', async () => {
  const { orgId } = await newOrg(core);
  const plan = await refused(core.operator(OrgService).createOrg({ name: 'x', plan: 'platinum' }));
  assert.is(plan.reason, 'INVALID_PARAMETER');
  assert.match(plan.rawMessage, /plan: use one of business, free, team, test/);
  await isRefused(core.operator(OrgService).createOrg({ name: ' ', plan: 'team' }), 'INVALID_PARAMETER');
  await isRefused(core.operator(OrgService).setPlan({ orgId, plan: '' }), 'INVALID_PARAMETER');
  await isRefused(core.operator(OrgService).setPlan({ orgId: 'acme', plan: 'team' }), 'NOT_FOUND');
  for (const amount of [0, -5, 1_000_001]) await isRefused(grant(orgId, amount), 'INVALID_PARAMETER');
  await isRefused(grant(orgId, 1, ''), 'INVALID_PARAMETER');
  await isRefused(grant(orgId, 1, 'x'.repeat(256)), 'INVALID_PARAMETER');
  await isRefused(grant('00000000-0000-4000-8000-000000000000', 1), 'NOT_FOUND');
});

test.run();
