import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg, inSystem } from '../../../core/db/session.ts';
import { AuditLogService } from '../../../proto/gen/scanaudit/v1/audit_log_pb.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { Threshold } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { approve, fails, isRefused, newOrg, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('the audit log');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

const entriesOf = async (key: string) => (await core.as(key)(AuditLogService).listAuditLog({})).items;
const detailOf = (entry: { detail: { name: string; value: string }[] } | undefined) =>
  Object.fromEntries((entry?.detail ?? []).map(({ name, value }) => [name, value]));

test('has one entry for each change, newest first', async () => {
  const { orgId, key } = await newOrg(core);
  const { operator } = core;
  await operator(OrgService).setPlan({ orgId, plan: 'business' });
  const { secret, key: issued } = await operator(KeyService).issueKey({ kind: KeyKind.ORG, orgId, name: 'second' });
  await operator(KeyService).revokeKey({ keyId: issued?.keyId ?? '' });
  await operator(CreditService).grantCredits({ orgId, amount: 7, reason: 'invoice 12', idempotencyKey: 'invoice-12' });
  await approve(core, orgId, 'example.com');
  await core
    .as(key)(DomainService)
    .putLogin({
      domain: 'example.com',
      name: 'a',
      login: { kind: { case: 'bearer', value: 'canary-7f3b' } },
    });
  await core.as(key)(DomainService).deleteLogin({ domain: 'example.com', name: 'a' });
  await core
    .as(key)(OrgService)
    .updateOrg({ gatePolicy: { threshold: Threshold.MEDIUM } });
  await operator(DomainService).withdrawDomain({ orgId, domain: 'example.com' });
  const entries = await entriesOf(key);
  assert.equal(
    entries.map(({ action }) => action),
    [
      'domain.withdraw',
      'gate-policy.update',
      'login.delete',
      'login.put',
      'domain.approve',
      'credit.grant',
      'key.revoke',
      'key.issue',
      'plan.set',
      'key.issue',
      'org.create',
    ],
  );
  const text = JSON.stringify(entries, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  for (const secretText of ['canary-7f3b', secret, key]) assert.not.match(text, secretText);
});

test('says who, what, from where and in which request', async () => {
  const { orgId, key, keyId } = await newOrg(core);
  await core.operator(OrgService).setPlan({ orgId, plan: 'business' });
  await core
    .as(key)(OrgService)
    .updateOrg(
      { gatePolicy: { threshold: Threshold.LOW } },
      { headers: { 'x-request-id': 'request-of-the-test', 'x-scan-audit-client': '203.0.113.9' } },
    );
  const [policy, plan] = await entriesOf(key);
  assert.equal([policy?.actorKind, policy?.actorKeyId], ['org', keyId]);
  assert.equal([policy?.requestId, policy?.address], ['request-of-the-test', '203.0.113.9']);
  const policyOf = (threshold: string) => JSON.stringify({ threshold, acceptedGaps: [] });
  assert.equal(detailOf(policy), { before: policyOf('unspecified'), after: policyOf('low') });
  assert.equal([plan?.actorKind, plan?.address, plan?.subject], ['operator', '127.0.0.1', orgId]);
  assert.equal(detailOf(plan), { before: 'test', after: 'business' });
});

test('has no entry for what was refused or changed nothing', async () => {
  const { orgId, key } = await newOrg(core);
  const { operator } = core;
  const grant = { orgId, amount: 7, reason: '', idempotencyKey: 'once' };
  await operator(CreditService).grantCredits(grant);
  const before = (await entriesOf(key)).length;
  await operator(CreditService).grantCredits(grant);
  await isRefused(operator(OrgService).setPlan({ orgId, plan: 'no such plan' }), 'INVALID_PARAMETER');
  await isRefused(operator(DomainService).withdrawDomain({ orgId, domain: 'example.org' }), 'NOT_FOUND');
  await isRefused(core.as(key)(DomainService).deleteLogin({ domain: 'example.com', name: 'a' }), 'NOT_FOUND');
  assert.is((await entriesOf(key)).length, before);
});

test('is read a page at a time, by its own org and by staff', async () => {
  const [mine, other] = [await newOrg(core), await newOrg(core)];
  for (const plan of ['team', 'business', 'test']) await core.operator(OrgService).setPlan({ orgId: mine.orgId, plan });
  const list = core.as(mine.key)(AuditLogService).listAuditLog;
  const first = await list({ limit: 3 });
  const second = await list({ limit: 3, cursor: first.nextCursor ?? '' });
  assert.equal([first.items.length, second.items.length, second.nextCursor], [3, 2, undefined]);
  const ids = new Set([...first.items, ...second.items].map(({ id }) => id));
  const [othersIds, staffs] = await Promise.all([
    entriesOf(other.key).then((items) => items.map(({ id }) => id)),
    core.operator(AuditLogService).readAuditLog({ orgId: mine.orgId }),
  ]);
  assert.ok(othersIds.length > 0 && othersIds.every((id) => !ids.has(id)));
  assert.equal(
    staffs.items.map(({ id }) => id),
    [...ids],
  );
  await isRefused(list({ cursor: 'made up' }), 'INVALID_PARAMETER');
});

test('keeps what belongs to no org for staff', async () => {
  const { key } = await core.operator(KeyService).issueKey({ kind: KeyKind.WORKER, name: 'worker' });
  const { items } = await core.operator(AuditLogService).readAuditLog({});
  assert.is(items[0]?.subject, key?.keyId);
  const org = await newOrg(core);
  await isRefused(core.as(org.key)(AuditLogService).readAuditLog({}), 'WRONG_KEY_KIND');
});

test('cannot be changed or deleted with the rights of the application', async () => {
  const { orgId } = await newOrg(core);
  const { em } = core.program.core;
  for (const sql of ["update audit_log set action = 'a.b'", 'delete from audit_log', 'truncate audit_log']) {
    await fails(
      inOrg(em, orgId, (tx) => tx.execute(sql)),
      'permission denied',
      sql,
    );
    await fails(
      inSystem(em, 'operator', (tx) => tx.execute(sql)),
      'permission denied',
      sql,
    );
  }
});

test.run();
