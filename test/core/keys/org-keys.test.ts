import type { EntityManager } from '@mikro-orm/postgresql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { untilOneWaits } from '../../support/lock-waits.ts';
import { isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('keys of an org');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

async function orgWithKeys() {
  const org = await newOrg(core, { scopes: ['keys:write', 'scans:read'] });
  const other = await core
    .operator(KeyService)
    .issueKey({ kind: KeyKind.ORG, orgId: org.orgId, name: 'ci', scopes: ['scans:read'] });
  const keys = core.as(org.key)(KeyService);
  const live = async () => (await keys.listOrgKeys({})).items.filter(({ revokedAt }) => !revokedAt).length;
  return { ...org, otherId: other.key?.keyId ?? '', keys, live };
}

const reasonOf = async (error: unknown) => (await refused(Promise.reject(error))).reason;

/** Makes a call while a key is being revoked, and lets the revocation come first. */
async function whileRevoked<T>(orgId: string, keyId: string, call: () => Promise<T>): Promise<{ ended: Promise<T> }> {
  return inOrg(core.program.core.em, orgId, async (tx: EntityManager) => {
    await tx.execute('update api_keys set revoked_at = now() where key_id = ?', [keyId]);
    const ended = call();
    ended.catch(() => {});
    await untilOneWaits(tx);
    return { ended };
  });
}

test('a key that is revoked while it is rotated gets no successor', async () => {
  const { orgId, keys, otherId, live } = await orgWithKeys();
  const { ended } = await whileRevoked(orgId, otherId, () => keys.rotateOrgKey({ keyId: otherId }));
  await isRefused(ended, 'KEY_NOT_LIVE');
  assert.is(await live(), 1);
});

test('a key that is revoked while it makes another makes none', async () => {
  const { orgId, keys, keyId } = await orgWithKeys();
  const { ended } = await whileRevoked(orgId, keyId, () => keys.createOrgKey({ name: 'x', scopes: ['scans:read'] }));
  await isRefused(ended, 'INVALID_KEY');
  const [made] = await inOrg(core.program.core.em, orgId, (tx) =>
    tx.execute<{ count: number }[]>("select count(*)::integer as count from api_keys where name = 'x'"),
  );
  assert.is(made?.count, 0);
});

test('two keys that rotate each other at once do not wait for each other for ever', async () => {
  const one = await orgWithKeys();
  const scopes = ['keys:write', 'scans:read'];
  const twin = await core.operator(KeyService).issueKey({ kind: KeyKind.ORG, orgId: one.orgId, name: 'twin', scopes });
  const byTwin = core.as(twin.secret)(KeyService);
  const rotations = Array.from({ length: 4 }, () => [
    one.keys.rotateOrgKey({ keyId: twin.key?.keyId ?? '' }),
    byTwin.rotateOrgKey({ keyId: one.keyId }),
  ]).flat();
  const ends = await Promise.all(rotations.map((call) => call.then(() => 'OK', reasonOf)));
  // The first one gives the other key an end, and with that it may no longer make one without.
  assert.equal([...new Set(ends)].sort(), ['INVALID_PARAMETER', 'OK']);
});

const everyKey = ['keys:write', 'scans:read'];

/** A key that made one that made one, each with a client of its own. */
async function threeGenerations() {
  const org = await orgWithKeys();
  const child = await org.keys.createOrgKey({ name: 'child', scopes: everyKey });
  const grandchild = await core.as(child.secret)(KeyService).createOrgKey({ name: 'grandchild', scopes: everyKey });
  const isLive = (secret: string) =>
    core
      .as(secret)(KeyService)
      .listOrgKeys({})
      .then(
        () => true,
        () => false,
      );
  return { ...org, child, grandchild, isLive };
}

test('a key that is revoked takes all keys with it that it made, and those made, at once', async () => {
  const { orgId, key, keyId, keys, otherId, child, grandchild, isLive, live } = await threeGenerations();
  assert.is(child.key?.madeBy, keyId);
  assert.equal([await isLive(child.secret), await isLive(grandchild.secret), await live()], [true, true, 4]);
  await keys.revokeOrgKey({ keyId });
  assert.equal([await isLive(key), await isLive(child.secret), await isLive(grandchild.secret)], [false, false, false]);
  const rows = await inOrg(core.program.core.em, orgId, (tx) =>
    tx.execute<{ subject: string }[]>("select subject from audit_log where action = 'key.revoke'"),
  );
  const said = rows.map(({ subject }) => subject).toSorted();
  assert.equal(said, [keyId, child.key?.keyId, grandchild.key?.keyId].toSorted());
  assert.not(said.includes(otherId));
});

test('an operator revokes a key with those that it made, too', async () => {
  const { keyId, grandchild, isLive } = await threeGenerations();
  await core.operator(KeyService).revokeKey({ keyId });
  assert.is(await isLive(grandchild.secret), false);
});

test('a key that was revoked before does not keep those alive that descend from it', async () => {
  const { keyId, keys, child, grandchild, isLive } = await threeGenerations();
  await inOrg(core.program.core.em, child.key?.orgId ?? '', (tx: EntityManager) =>
    tx.execute('update api_keys set revoked_at = now() where key_id = ?', [child.key?.keyId]),
  );
  await keys.revokeOrgKey({ keyId });
  assert.is(await isLive(grandchild.secret), false);
});

test('a successor may end the key that it was rotated from, and lives on', async () => {
  const { keyId, key, keys, isLive } = await threeGenerations();
  const { secret } = await keys.rotateOrgKey({ keyId });
  const own = await core.as(secret)(KeyService).createOrgKey({ name: 'own', scopes: everyKey });
  await core.as(secret)(KeyService).revokeOrgKey({ keyId });
  assert.equal([await isLive(key), await isLive(secret), await isLive(own.secret)], [false, true, true]);
});

test('a key that is being made while its maker’s maker is revoked is revoked as well', async () => {
  const { orgId, keyId, keys, child } = await threeGenerations();
  const { ended } = await inOrg(core.program.core.em, orgId, async (tx: EntityManager) => {
    // As a call that makes a key holds its own.
    await tx.execute('select 1 from api_keys where key_id = ? for update', [child.key?.keyId]);
    const revocation = keys.revokeOrgKey({ keyId });
    await untilOneWaits(tx);
    await tx.execute(
      `insert into api_keys (key_id, org_id, kind, name, scopes, hash, made_by)
       values ('late0000', ?, 'org', 'late', '{}', decode(repeat('00', 32), 'hex'), ?)`,
      [orgId, child.key?.keyId],
    );
    return { ended: revocation };
  });
  await ended;
  const [late] = await inOrg(core.program.core.em, orgId, (tx) =>
    tx.execute<{ revoked_at: Date | null }[]>("select revoked_at from api_keys where key_id = 'late0000'"),
  );
  assert.ok(late?.revoked_at);
});

test('keys that an operator issued to orgs outlive the operator’s key', async () => {
  const staff = await core.operator(KeyService).issueKey({ kind: KeyKind.OPERATOR, name: 'staff' });
  const asStaff = core.as(staff.secret)(KeyService);
  const { orgId } = await newOrg(core);
  const customer = await asStaff.issueKey({ kind: KeyKind.ORG, orgId, name: 'c', scopes: everyKey });
  const colleague = await asStaff.issueKey({ kind: KeyKind.OPERATOR, name: 'colleague' });
  await core.operator(KeyService).revokeKey({ keyId: staff.key?.keyId ?? '' });
  await core.as(customer.secret)(KeyService).listOrgKeys({});
  await isRefused(core.as(colleague.secret)(KeyService).listKeys({}), 'INVALID_KEY');
});

test('an org has as many live keys as its plan says, however many are made at once', async () => {
  const plan = { name: 'three-keys', apiAccess: true, deep: false, retentionDays: 1, maxKeys: 3 };
  const limits = { requestsPerMinute: 1_000, startsPerMinute: 1 };
  await core.operator(OrgService).putPlan({ plan: { ...plan, ...limits } });
  const { orgId, key, keyId } = await newOrg(core, { plan: 'three-keys', scopes: everyKey });
  const keys = core.as(key)(KeyService);
  const make = () => keys.createOrgKey({ name: 'x', scopes: ['scans:read'] });
  const twin = await make();
  const byOperator = () => core.operator(KeyService).issueKey({ kind: KeyKind.ORG, orgId, name: 'x', scopes: [] });
  const ends = await Promise.all(
    [make(), make(), byOperator(), byOperator()].map((call) => call.then(() => 'OK', reasonOf)),
  );
  assert.equal(ends.toSorted(), ['OK', 'TOO_MANY_KEYS', 'TOO_MANY_KEYS', 'TOO_MANY_KEYS']);
  await isRefused(keys.rotateOrgKey({ keyId }), 'TOO_MANY_KEYS');
  await keys.rotateOrgKey({ keyId: twin.key?.keyId ?? '', overlapHours: 0 });
  await isRefused(make(), 'TOO_MANY_KEYS');
});

test.run();
