import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { callerOrg, type Deps } from '../context.ts';
import { inOrg, inSystem } from '../db/session.ts';
import { requireOrgId } from '../fields.ts';
import { findOrg } from '../orgs/find-org.ts';
import { cursorOf, pageOf, pageSize } from '../paging.ts';
import { ApiKeyEntity, type ApiKeyRow } from './entities.ts';

type PageRequest = { limit?: number | undefined; cursor: string };
export type KeyPage = { keys: ApiKeyRow[]; nextCursor?: string };

/** Id of the last key of the page before: keys are never deleted. */
const place = cursorOf(z.string().regex(/^[0-9A-Za-z]{8}$/));

/** A page of the keys of the caller's org, oldest first, revoked and expired ones too. @throws Refusal INVALID_PARAMETER */
export function listOrgKeys(deps: Deps, request: PageRequest): Promise<KeyPage> {
  const { orgId } = callerOrg(deps);
  return inOrg(deps.em, orgId, (tx) => keysOf(tx, orgId, request));
}

/**
 * The same for staff.
 * @param request.orgId empty for the keys that belong to no org
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND
 */
export function listKeys({ em }: Deps, request: PageRequest & { orgId: string }): Promise<KeyPage> {
  return inSystem(em, 'operator', async (tx) => {
    const orgId = request.orgId === '' ? null : (await findOrg(tx, requireOrgId(request.orgId))).id;
    return keysOf(tx, orgId, request);
  });
}

async function keysOf(tx: EntityManager, orgId: string | null, request: PageRequest): Promise<KeyPage> {
  const limit = pageSize(request.limit);
  const last = place.read(request.cursor);
  // PostgreSQL compares its own times: here they would lose their microseconds.
  const after = '(created_at, key_id) > (select created_at, key_id from api_keys where key_id = ?)';
  const rows = await tx.find(
    ApiKeyEntity,
    { orgId, ...(last !== undefined && { [raw(after, [last])]: [] }) },
    { orderBy: { createdAt: 'asc', keyId: 'asc' }, limit: limit + 1 },
  );
  const { page, next } = pageOf(rows, limit, ({ keyId }) => place.write(keyId));
  return { keys: page, ...next };
}
