import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../context.ts';
import { isMissingReference } from '../db/failures.ts';
import { inSystem } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { requireLength, requireOrgId } from '../fields.ts';
import { unknownOrg } from '../orgs/find-org.ts';
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

/**
 * Issues a key. Its text is in the answer and nowhere else.
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND
 */
export async function issueKey(em: EntityManager, wanted: NewKey): Promise<{ row: ApiKeyRow; secret: string }> {
  checkKey(wanted);
  const orgId = wanted.kind === 'org' ? requireOrgId(wanted.orgId) : null;
  const { keyId, text } = newKey();
  try {
    const row = await inSystem(em, 'operator', async (tx) => {
      const { kind, name, expiresAt = null } = wanted;
      const scopes = [...new Set(wanted.scopes)];
      const key = tx.create(ApiKeyEntity, {
        keyId,
        orgId,
        kind,
        name,
        scopes,
        hash: hashKey(text),
        expiresAt,
        createdAt: new Date(),
      });
      await tx.flush();
      return key;
    });
    return { row, secret: text };
  } catch (error) {
    throw isMissingReference(error) ? unknownOrg() : error;
  }
}

function checkKey({ kind, orgId, name, scopes, expiresAt }: NewKey): void {
  requireLength('name', name, 1, 100);
  if (kind !== 'org' && orgId !== '') throw invalid('INVALID_PARAMETER', 'orgId', 'a key of this kind has no org');
  const known = scopesOf[kind];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown !== undefined)
    throw invalid('INVALID_PARAMETER', 'scopes', `a key of kind ${kind} may hold: ${known.join(', ') || 'none'}`);
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw invalid('INVALID_PARAMETER', 'expiresAt', 'use a time that is to come');
}
