import { timestampDate } from '@bufbuild/protobuf/wkt';
import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreateOrgKeyRequest, RotateOrgKeyRequest } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { cancelScans } from '../endings/cancel-scans.ts';
import { invalid, Refusal } from '../errors.ts';
import { ApiKeyEntity, type ApiKeyRow } from './entities.ts';
import { checkKey, type Issued, insertKey } from './issue-key.ts';
import { revokeWithMade } from './revoke.ts';

/** What an org does with its own keys. No key makes one that can do more or lives longer than itself. */

/** @throws Refusal INVALID_PARAMETER, TOO_MANY_KEYS, INVALID_KEY when the calling key is revoked meanwhile */
export function createOrgKey(deps: Deps, { name, scopes, expiresAt: until }: CreateOrgKeyRequest): Promise<Issued> {
  const { orgId } = callerOrg(deps);
  return inOrg(deps.em, orgId, async (tx) => {
    const [issuer] = await holdKeys(tx, deps);
    const expiresAt = until ? timestampDate(until) : (issuer.expiresAt ?? undefined);
    const wanted = { kind: 'org', orgId, name, scopes, ...(expiresAt && { expiresAt }) } as const;
    checkKey(wanted);
    const excess = scopes.find((scope) => !issuer.scopes.includes(scope));
    if (excess !== undefined)
      throw invalid('INVALID_PARAMETER', 'scopes', `the calling key does not have ${excess} itself`);
    if (isLater(expiresAt, issuer.expiresAt))
      throw invalid('INVALID_PARAMETER', 'expiresAt', 'a key cannot outlive the one that makes it');
    return insertKey(tx, wanted, deps, { madeBy: issuer.keyId });
  });
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND, KEY_NOT_LIVE, TOO_MANY_KEYS, INVALID_KEY when the calling key is revoked meanwhile */
export function rotateOrgKey(deps: Deps, { keyId, overlapHours = 24 }: RotateOrgKeyRequest): Promise<Issued> {
  const { orgId } = callerOrg(deps);
  return inOrg(deps.em, orgId, async (tx) => {
    const [issuer, old] = await holdKeys(tx, deps, keyId);
    if (!old) throw unknownKey();
    const now = new Date();
    if (!isLive(old, now)) throw new Refusal('KEY_NOT_LIVE');
    if (old.scopes.some((scope) => !issuer.scopes.includes(scope)) || isLater(old.expiresAt, issuer.expiresAt))
      throw invalid('INVALID_PARAMETER', 'keyId', 'the calling key cannot make a key that can do or live as much');
    const { name, scopes, expiresAt } = old;
    const end = new Date(now.getTime() + overlapHours * 3_600_000);
    old.expiresAt = expiresAt && expiresAt < end ? expiresAt : end;
    await tx.flush();
    const detail = { overlapHours };
    await recordChange(tx, deps, { orgId, action: 'key.rotate', subject: keyId, detail });
    const successor = { kind: 'org', orgId, name, scopes, ...(expiresAt && { expiresAt }) } as const;
    return insertKey(tx, successor, deps, { madeBy: issuer.keyId });
  });
}

/**
 * Revokes a key with those that it made; unfinished scans that they have started are canceled. Repeating it changes
 * nothing. @throws Refusal NOT_FOUND
 */
export async function revokeOrgKey(deps: Deps, keyId: string): Promise<void> {
  const { orgId } = callerOrg(deps);
  await inOrg(deps.em, orgId, async (tx) => {
    const key = await tx.findOne(ApiKeyEntity, { orgId, keyId }, held);
    if (!key) throw unknownKey();
    const revoked = await revokeWithMade(tx, key, deps);
    await cancelScans(tx, orgId, { keyId: { $in: revoked } });
  });
  deps.dispatcher.wake();
}

const unknownKey = () => new Refusal('NOT_FOUND', { message: 'There is no such key.' });

const isLive = ({ revokedAt, expiresAt }: ApiKeyRow, now: Date): boolean =>
  !revokedAt && (!expiresAt || expiresAt > now);

/** Whoever revokes a key, or makes another one from it, waits for others who do. */
const held = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/**
 * The key of this call and another one of its org, held in the order of their ids, so that no two calls wait for each
 * other. A key that was revoked since it was looked at makes none any more.
 */
async function holdKeys(tx: EntityManager, deps: Deps, other = ''): Promise<[ApiKeyRow, ApiKeyRow | undefined]> {
  const own = deps.caller?.keyId ?? '';
  const where = { orgId: callerOrg(deps).orgId, keyId: { $in: [own, other] } };
  const keys = await tx.find(ApiKeyEntity, where, { ...held, orderBy: { keyId: 'asc' } });
  const issuer = keys.find(({ keyId }) => keyId === own);
  if (!issuer || !isLive(issuer, new Date())) throw new Refusal('INVALID_KEY');
  return [issuer, keys.find(({ keyId }) => keyId === other)];
}

/** No end is later than any. */
const isLater = (end: Date | null | undefined, limit: Date | null | undefined): boolean =>
  limit != null && (end == null || end > limit);
