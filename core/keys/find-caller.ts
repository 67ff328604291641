import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../context.ts';
import { callFunction } from '../db/session.ts';
import { Refusal } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { hashKey, isSameHash, parseKey } from './format.ts';

/** What the database function find_key answers. */
type FoundKey = {
  kind: Caller['kind'];
  scopes: string[];
  hash: Uint8Array;
  is_live: boolean;
  is_use_stale: boolean;
  org_id: string | null;
  plan: string;
  api_access: boolean;
  deep: boolean;
  requests_per_minute: number;
  starts_per_minute: number;
  retention_days: number;
  org_requests_per_minute: number;
  max_keys: number;
  waiting_gates: number;
};

/**
 * Who calls. Looked up anew in each call, so that a revoked key is refused from the next one on.
 * @param actingFor org that a service key names
 * @throws Refusal MISSING_KEY, or INVALID_KEY: the same for a malformed, unknown, expired and revoked one
 */
export async function findCaller(
  em: EntityManager,
  authorization: string | null,
  actingFor: string | null,
): Promise<Caller> {
  // RFC 6750 §2.1; the scheme is case-insensitive (RFC 9110 §11.1).
  const [, token] = /^bearer +(.*)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw new Refusal('MISSING_KEY');
  const key = parseKey(token.trim());
  if (key === undefined) throw new Refusal('INVALID_KEY');
  const [found] = await callFunction<FoundKey>(em, 'select * from find_key($1, $2)', [
    key.keyId,
    actingFor !== null && isUuid(actingFor) ? actingFor : null,
  ]);
  if (found === undefined || !isSameHash(found.hash, hashKey(key.text)) || !found.is_live)
    throw new Refusal('INVALID_KEY');
  if (found.is_use_stale) await em.execute('select touch_key(?)', [key.keyId]);
  return { kind: found.kind, keyId: key.keyId, scopes: found.scopes, ...orgOf(found) };
}

function orgOf(found: FoundKey): Pick<Caller, 'org'> {
  if (found.org_id === null) return {};
  const plan = {
    name: found.plan,
    apiAccess: found.api_access,
    deep: found.deep,
    requestsPerMinute: found.requests_per_minute,
    startsPerMinute: found.starts_per_minute,
    retentionDays: found.retention_days,
    orgRequestsPerMinute: found.org_requests_per_minute,
    maxKeys: found.max_keys,
    waitingGates: found.waiting_gates,
  };
  return { org: { orgId: found.org_id, plan } };
}
