import type { EntityManager } from '@mikro-orm/postgresql';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg } from '../../../core/db/session.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
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

test.run();
