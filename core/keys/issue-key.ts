import type { EntityManager } from '@mikro-orm/postgresql';
import { type Actor, recordChange, systemActor } from '../audit-log/record.ts';
import type { Caller } from '../context.ts';
import { isMissingReference } from '../db/failures.ts';
import { inSystem } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { requireOrgId } from '../fields.ts';
import { unknownOrg } from '../orgs/find-org.ts';
import { requireRoomForKey } from './cap.ts';
import { ApiKeyEntity, type ApiKeyRow } from './entities.ts';
import { hashKey, newKey } from './format.ts';
import { scopesOf } from './scopes.ts';

export type NewKey = {
  kind: Caller['kind'];
  /** For a key of kind "org", and only for that. */
  orgId: string;
  name: string;
  scopes: readonly string[];
  expiresAt?: Date;
};

export type Issued = { row: ApiKeyRow; secret: string };

/**
 * Issues a key. Its text is in the answer and nowhere else.
 * @param actor the command line by default
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND, TOO_MANY_KEYS
 */
export async function issueKey(em: EntityManager, wanted: NewKey, actor: Actor = systemActor): Promise<Issued> {
  checkKey(wanted);
  const orgId = wanted.kind === 'org' ? requireOrgId(wanted.orgId) : null;
  const madeBy = wanted.kind === 'operator' ? actor.caller?.keyId : undefined;
  try {
    return await inSystem(em, 'operator', (tx) => insertKey(tx, { ...wanted, orgId }, actor, { madeBy }));
  } catch (error) {
    throw isMissingReference(error) ? unknownOrg() : error;
  }
}

/**
 * Makes and stores a key in a transaction that may.
 * @param wanted checked
 * @param options.madeBy the key that it is revoked with
 * @throws Refusal TOO_MANY_KEYS
 */
export async function insertKey(
  tx: EntityManager,
  wanted: Omit<NewKey, 'orgId'> & { orgId: string | null },
  actor: Actor,
  { madeBy }: { madeBy?: string | undefined } = {},
): Promise<Issued> {
  const { kind, name, orgId, expiresAt = null } = wanted;
  const { keyId, text } = newKey();
  const scopes = [...new Set(wanted.scopes)];
  if (orgId !== null) await requireRoomForKey(tx, orgId);
  const key = {
    keyId,
    orgId,
    kind,
    name,
    scopes,
    hash: hashKey(text),
    expiresAt,
    createdAt: new Date(),
    madeBy: madeBy ?? null,
  };
  const row = tx.create(ApiKeyEntity, key);
  await tx.flush();
  await recordChange(tx, actor, {
    orgId,
    action: 'key.issue',
    subject: keyId,
    detail: { kind, name, scopes, expiresAt },
  });
  return { row, secret: text };
}

/** @throws Refusal INVALID_PARAMETER */
export function checkKey({ kind, orgId, scopes, expiresAt }: NewKey): void {
  if (kind !== 'org' && orgId !== '') throw invalid('INVALID_PARAMETER', 'orgId', 'a key of this kind has no org');
  const known = scopesOf[kind];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined)
    throw invalid('INVALID_PARAMETER', 'scopes', `a key of kind ${kind} may hold: ${known.join(', ') || 'none'}`);
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw invalid('INVALID_PARAMETER', 'expiresAt', 'use a time that is to come');
}
