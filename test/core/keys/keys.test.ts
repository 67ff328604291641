import { setTimeout as sleep } from 'node:timers/promises';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inOrg, inSystem } from '../../../core/db/session.ts';
import { ApiKeyEntity } from '../../../core/keys/entities.ts';
import { newKey } from '../../../core/keys/format.ts';
import { issueKey } from '../../../core/keys/issue-key.ts';
import { KeyService, type ListKeysResponse } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { isRefused, newOrg, refused, startCore, type TestCore } from '../support.ts';

let core: TestCore;
const test = suite('keys');
test.before(async () => {
  core = await startCore();
});
test.after(() => core.close());

const use = (secret: string) => core.as(secret)(OrgService).getOrg({});
const issue = (orgId: string, more: { scopes?: string[]; name?: string; expiresAt?: number; kind?: KeyKind } = {}) => {
  const { expiresAt, ...rest } = more;
  const expiry = expiresAt === undefined ? {} : { expiresAt: timestampFromMs(expiresAt) };
  return core.operator(KeyService).issueKey({ kind: KeyKind.ORG, orgId, name: 'ci', ...rest, ...expiry });
};

test('a revoked key is refused from the next request on', async () => {
  const { key, keyId } = await newOrg(core);
  await use(key);
  const revoked = await core.operator(KeyService).revokeKey({ keyId });
  await isRefused(use(key), 'INVALID_KEY');
  const again = await core.operator(KeyService).revokeKey({ keyId });
  assert.equal(again.revokedAt, revoked.revokedAt, 'revoking again changes nothing');
});

test('an expired key is refused from its expiry on', async () => {
  const { orgId } = await newOrg(core);
  const { secret } = await issue(orgId, { scopes: ['scans:read'], expiresAt: Date.now() + 700 });
  await use(secret);
  await sleep(750);
  await isRefused(use(secret), 'INVALID_KEY');
});

test('malformed, mistyped, unknown, forged, expired and revoked keys look the same', async () => {
  const { key, keyId, orgId } = await newOrg(core);
  const forged = `sa_${keyId}_${newKey().text.slice(12)}`;
  const expiring = { kind: 'org' as const, orgId, name: 'x', scopes: [], expiresAt: new Date(Date.now() + 30) };
  const expired = await issueKey(core.program.core.em, expiring);
  const revoked = await issue(orgId);
  await core.operator(KeyService).revokeKey({ keyId: revoked.key?.keyId ?? '' });
  await sleep(40);
  const bad = ['nonsense', `${key}x`, key.slice(0, -1), newKey().text, forged, expired.secret, revoked.secret];
  const answers = await Promise.all(bad.map((secret) => refused(use(secret))));
  for (const answer of answers) {
    assert.is(answer.reason, 'INVALID_KEY');
    assert.is(answer.rawMessage, answers[0]?.rawMessage);
    assert.equal(answer.details, answers[0]?.details);
  }
});

test('a forged secret under a known id with a right checksum is refused', async () => {
  const { keyId } = await newOrg(core);
  const { hashKey, checksum } = await import('../../../core/keys/format.ts');
  const body = `sa_${keyId}_${'A'.repeat(32)}`;
  assert.is(hashKey(body).length, 32);
  await isRefused(use(body + checksum(body)), 'INVALID_KEY');
});

test('the secret is in the answer to issuing and nowhere in the database', async () => {
  const { orgId } = await newOrg(core);
  const { secret, key } = await issue(orgId);
  const [row] = await inSystem(core.program.core.em, 'operator', (tx) =>
    tx.execute<{ row: string }[]>('select k::text as row from api_keys k where key_id = ?', [key?.keyId]),
  );
  assert.not.match(row?.row ?? '', secret.slice(12, 44));
});

test('the last use is recorded', async () => {
  const { key, orgId } = await newOrg(core);
  const lastUse = async () => (await core.operator(KeyService).listKeys({ orgId })).items[0]?.lastUsedAt;
  assert.is(await lastUse(), undefined);
  await use(key);
  const first = await lastUse();
  assert.ok(first);
  await use(key);
  assert.equal(await lastUse(), first, 'to the minute, so that reading does not write each time');
});

test('keys are listed by org, and those of no org by themselves', async () => {
  const { orgId, keyId } = await newOrg(core);
  await issue(orgId, { name: 'second', scopes: ['scans:read', 'scans:read'] });
  const { items } = await core.operator(KeyService).listKeys({ orgId });
  assert.equal(
    items.map(({ name }) => name),
    ['ci', 'second'],
  );
  assert.is(items[0]?.keyId, keyId);
  assert.equal(items[1]?.scopes, ['scans:read']);
  const { items: ours } = await core.operator(KeyService).listKeys({});
  assert.ok(ours.length > 0 && ours.every((item) => item.orgId === '' && item.kind !== KeyKind.ORG));
  await isRefused(core.operator(KeyService).listKeys({ orgId: 'acme' }), 'NOT_FOUND');
});

test('keys are listed a page at a time, each once, those of one moment too', async () => {
  const { orgId, key, keyId } = await newOrg(core, { scopes: ['keys:write'] });
  const others = await Promise.all(Array.from({ length: 6 }, (_, at) => issue(orgId, { name: `key ${at}` })));
  // All in one millisecond, some in one microsecond.
  await inOrg(core.program.core.em, orgId, (tx) =>
    tx.execute(
      "update api_keys set created_at = '2026-01-01T00:00:00.000001Z'::timestamptz + make_interval(secs => (ascii(key_id) % 3) / 1e6) where key_id <> ?",
      [keyId],
    ),
  );
  const mine = core.as(key)(KeyService);
  const readers = [
    (cursor: string) => mine.listOrgKeys({ limit: 2, cursor }),
    (cursor: string) => core.operator(KeyService).listKeys({ orgId, limit: 2, cursor }),
  ];
  for (const read of readers) {
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: ListKeysResponse = await read(cursor);
      assert.ok(page.items.length > 0 && page.items.length <= 2);
      seen.push(...page.items.map((item) => item.keyId));
      cursor = page.nextCursor;
    }
    assert.equal([...seen].sort(), [keyId, ...others.map(({ key: made }) => made?.keyId ?? '')].sort());
  }
  await isRefused(mine.listOrgKeys({ cursor: 'abc' }), 'INVALID_PARAMETER');
  await isRefused(mine.listOrgKeys({ limit: 101 }), 'INVALID_PARAMETER');
});

test('keys that make no sense are not issued', async () => {
  const { orgId } = await newOrg(core);
  await isRefused(issue(orgId, { kind: KeyKind.UNSPECIFIED }), 'INVALID_PARAMETER');
  await isRefused(issue(orgId, { name: '' }), 'INVALID_PARAMETER');
  await isRefused(issue(orgId, { scopes: ['scans:destroy'] }), 'INVALID_PARAMETER');
  await isRefused(issue(orgId, { scopes: ['credits:grant'] }), 'INVALID_PARAMETER');
  await isRefused(issue(orgId, { kind: KeyKind.WORKER }), 'INVALID_PARAMETER');
  await isRefused(issue('', { kind: KeyKind.WORKER, scopes: ['scans:read'] }), 'INVALID_PARAMETER');
  await isRefused(issue(orgId, { expiresAt: Date.now() - 1 }), 'INVALID_PARAMETER');
  await isRefused(issue('acme'), 'NOT_FOUND');
  await isRefused(issue('00000000-0000-4000-8000-000000000000'), 'NOT_FOUND');
  await isRefused(core.operator(KeyService).revokeKey({ keyId: 'unknown1' }), 'NOT_FOUND');
  assert.is(await inSystem(core.program.core.em, 'operator', (tx) => tx.count(ApiKeyEntity, { orgId })), 1);
});

test.run();
