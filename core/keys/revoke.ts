import type { EntityManager } from '@mikro-orm/postgresql';
import { type Actor, recordChange } from '../audit-log/record.ts';
import type { ApiKeyRow } from './entities.ts';

/** Keys that descend from one, by way of keys that made keys; a key in between may have been revoked before. */
const descendants = `with recursive made as (
    select key_id from api_keys where made_by = ? and key_id <> ?
    union select k.key_id from api_keys k join made m on k.made_by = m.key_id where k.key_id <> ?
  )`;

/**
 * Revokes a key and all keys that it made, and those made; each with an entry in the audit log. Who has stolen a key may
 * have made others with it. The key of the call itself lives on when it descends from the revoked one, and so do those
 * that it made: whoever rotates a key can end the old one early. Repeating it changes nothing.
 * @param tx that may change the key and those it made
 * @param key held for the update
 * @returns ids of the keys that were live until now
 */
export async function revokeWithMade(tx: EntityManager, key: ApiKeyRow, actor: Actor): Promise<string[]> {
  if (key.revokedAt) return [];
  key.revokedAt = new Date();
  await tx.flush();
  const { keyId, kind } = key;
  const orgId = key.orgId ?? null;
  await recordChange(tx, actor, { orgId, action: 'key.revoke', subject: keyId, detail: { name: key.name } });
  // What staff issue to customers and programs is not theirs: it outlives the key that issued it.
  if (kind !== 'org' && kind !== 'operator') return [keyId];
  const all = [keyId];
  const caller = actor.caller?.keyId ?? '';
  for (;;) {
    const revoked = await revokeMade(tx, keyId, caller);
    for (const made of revoked) {
      const detail = { name: made.name, madeBy: made.made_by };
      await recordChange(tx, actor, { orgId, action: 'key.revoke', subject: made.key_id, detail });
    }
    if (revoked.length === 0) return all;
    all.push(...revoked.map(({ key_id }) => key_id));
  }
}

type DescendantKey = { key_id: string; name: string; made_by: string };

/**
 * Revokes those that are there. A key that makes another one holds itself, so that this waits for it, and the next look
 * finds the new one. Held in the order of their ids, as everybody holds keys.
 */
async function revokeMade(tx: EntityManager, keyId: string, caller: string): Promise<DescendantKey[]> {
  const live = await tx.execute<DescendantKey[]>(
    `${descendants} select key_id, name, made_by from api_keys
     where key_id in (select key_id from made) and revoked_at is null order by key_id for update`,
    [keyId, caller, caller],
  );
  if (live.length > 0)
    await tx.execute('update api_keys set revoked_at = now() where key_id = any(array[?])', [
      live.map(({ key_id }) => key_id),
    ]);
  return live;
}
