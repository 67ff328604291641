import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../context.ts';
import { callFunction } from '../db/session.ts';
import { Refusal } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { TakenTokens } from '../limits/take-tokens.ts';
import { hashKey, isSameHash, parseKey } from './format.ts';

type BegunCall = { caller: Caller; taken: readonly TakenTokens[] };

/** What the database function begin_call answers. */
type FoundCaller = {
  kind: Caller['kind'];
  scopes: string[];
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
  taken: TakenTokens[];
};

/**
 * Who calls, and what the call has cost. Looked up anew in each call, so that a revoked key is refused from the next one on.
 * The tokens are taken in the same round trip, outside of any transaction of the call: one that fails later has still been
 * made (migrations/0034-begin-call.ts).
 * @param actingFor org that a service key names
 * @param showsStarts whether the answer reports the starts that are left
 * @throws Refusal MISSING_KEY, or INVALID_KEY: the same for a malformed, unknown, expired and revoked one
 */
export async function beginCall(
  em: EntityManager,
  authorization: string | null,
  actingFor: string | null,
  showsStarts: boolean,
): Promise<BegunCall> {
  const { keyId, hash } = readKey(authorization);
  const org = actingFor !== null && isUuid(actingFor) ? actingFor : null;
  const [found] = await callFunction<FoundCaller>(em, 'select * from begin_call($1, $2, $3, $4)', [
    keyId,
    hash,
    org,
    showsStarts,
  ]);
  if (found === undefined) throw new Refusal('INVALID_KEY');
  return { caller: { kind: found.kind, keyId, scopes: found.scopes, ...orgOf(found) }, taken: found.taken };
}

/**
 * Looks a key up again, at no cost.
 * @throws Refusal as `beginCall`
 */
export async function requireLive(em: EntityManager, authorization: string | null): Promise<void> {
  const { keyId, hash } = readKey(authorization);
  const [found] = await callFunction<{ hash: Uint8Array; is_live: boolean }>(
    em,
    'select hash, is_live from find_key($1, null)',
    [keyId],
  );
  if (found === undefined || !isSameHash(found.hash, hash) || !found.is_live) throw new Refusal('INVALID_KEY');
}

function readKey(authorization: string | null): { keyId: string; hash: Buffer } {
  // RFC 6750 §2.1; the scheme is case-insensitive (RFC 9110 §11.1).
  const [, token] = /^bearer +(.*)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) throw new Refusal('MISSING_KEY');
  const key = parseKey(token.trim());
  if (key === undefined) throw new Refusal('INVALID_KEY');
  return { keyId: key.keyId, hash: hashKey(key.text) };
}

function orgOf(found: FoundCaller): Pick<Caller, 'org'> {
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
