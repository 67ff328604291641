import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../errors.ts';

/**
 * Makes sure that an org may have one more live key. Holds the org, so that calls that make keys at once count one after
 * the other.
 * @throws Refusal TOO_MANY_KEYS
 */
export async function requireRoomForKey(tx: EntityManager, orgId: string): Promise<void> {
  const [org] = await tx.execute<{ max_keys: number }[]>(
    'select p.max_keys from orgs o join plans p on p.name = o.plan where o.id = ? for no key update of o',
    [orgId],
  );
  const [live] = await tx.execute<{ count: number }[]>(
    `select count(*)::integer as count from api_keys
     where org_id = ? and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`,
    [orgId],
  );
  if (org && live && live.count >= org.max_keys)
    throw new Refusal('TOO_MANY_KEYS', {
      message: `The org has ${live.count} live keys, as many as its plan allows.`,
    });
}
