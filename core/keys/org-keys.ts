import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreateOrgKeyRequest, RotateOrgKeyRequest } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg } from '../db/session.ts';
import { invalid, Refusal } from '../errors.ts';
import { ApiKeyEntity, type ApiKeyRow } from './entities.ts';
import { checkKey, type Issued, insertKey } from './issue-key.ts';

/** What an org does with its own keys. No key makes one that can do more or lives longer than itself. */

/** @throws Refusal INVALID_PARAMETER */
export function createOrgKey(deps: Deps, { name, scopes, expiresAt: until }: CreateOrgKeyRequest): Promise<Issued> {
  const { orgId } = callerOrg(deps);
  return inOrg(deps.em, orgId, async (tx) => {
    const issuer = await issuerOf(tx, deps);
    const expiresAt = until ? timestampDate(until) : (issuer.expiresAt ?? undefined);
    const wanted = { kind: 'org', orgId, name, scopes, ...(expiresAt && { expiresAt }) } as const;
    checkKey(wanted);
    const excess = scopes.find((scope) => !issuer.scopes.includes(scope));
    if (excess !== undefined)
      throw invalid('INVALID_PARAMETER', 'scopes', `the calling key does not have ${excess} itself`);
    if (isLater(expiresAt, issuer.expiresAt))
      throw invalid('INVALID_PARAMETER', 'expiresAt', 'a key cannot outlive the one that makes it');
    return insertKey(tx, wanted, deps);
  });
}

/** Oldest first. */
export function listOrgKeys(deps: Deps): Promise<ApiKeyRow[]> {
  const { orgId } = callerOrg(deps);
  return inOrg(deps.em, orgId, (tx) =>
    tx.find(ApiKeyEntity, { orgId }, { orderBy: { createdAt: 'asc', keyId: 'asc' } }),
  );
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND, KEY_NOT_LIVE */
export function rotateOrgKey(deps: Deps, { keyId, overlapHours = 24 }: RotateOrgKeyRequest): Promise<Issued> {
  const { orgId } = callerOrg(deps);
  return inOrg(deps.em, orgId, async (tx) => {
    const issuer = await issuerOf(tx, deps);
    const old = await findKey(tx, orgId, keyId);
    const now = new Date();
    if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) throw new Refusal('KEY_NOT_LIVE');
    if (old.scopes.some((scope) => !issuer.scopes.includes(scope)) || isLater(old.expiresAt, issuer.expiresAt))
      throw invalid('INVALID_PARAMETER', 'keyId', 'the calling key cannot make a key that can do or live as much');
    const { name, scopes, expiresAt } = old;
    const end = new Date(now.getTime() + overlapHours * 3_600_000);
    old.expiresAt = expiresAt && expiresAt < end ? expiresAt : end;
    await tx.flush();
    const detail = { overlapHours };
    await recordChange(tx, deps, { orgId, action: 'key.rotate', subject: keyId, detail });
    return insertKey(tx, { kind: 'org', orgId, name, scopes, ...(expiresAt && { expiresAt }) }, deps);
  });
}

/** Repeating it changes nothing. @throws Refusal NOT_FOUND */
export function revokeOrgKey(deps: Deps, keyId: string): Promise<void> {
  const { orgId } = callerOrg(deps);
  return inOrg(deps.em, orgId, async (tx) => {
    const key = await findKey(tx, orgId, keyId);
    if (key.revokedAt) return;
    key.revokedAt = new Date();
    await tx.flush();
    await recordChange(tx, deps, { orgId, action: 'key.revoke', subject: keyId, detail: { name: key.name } });
  });
}

async function findKey(tx: EntityManager, orgId: string, keyId: string): Promise<ApiKeyRow> {
  const key = await tx.findOne(ApiKeyEntity, { orgId, keyId });
  if (!key) throw new Refusal('NOT_FOUND', { message: 'There is no such key.' });
  return key;
}

/** The key of this call. */
async function issuerOf(tx: EntityManager, { caller }: Deps): Promise<ApiKeyRow> {
  return tx.findOneOrFail(ApiKeyEntity, { keyId: caller?.keyId ?? '' });
}

/** No end is later than any. */
const isLater = (end: Date | null | undefined, limit: Date | null | undefined): boolean =>
  limit != null && (end == null || end > limit);
