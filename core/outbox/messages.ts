import type { EntityManager } from '@mikro-orm/postgresql';
import type { MessageKind, MessagePayload } from './kinds.ts';

/**
 * Leaves a message that commits with its cause. Leaving it twice, under the same key, is leaving it once. Whoever leaves
 * it wakes the dispatcher after the commit.
 */
export async function leaveMessage<K extends MessageKind>(
  tx: EntityManager,
  kind: K,
  { orgId, key, payload }: { orgId: string; key: string; payload: MessagePayload<K> },
): Promise<void> {
  await tx.execute(
    'insert into outbox (org_id, kind, key, payload) values (?, ?, ?, ?) on conflict (key, kind) do nothing',
    [orgId, kind, key, JSON.stringify(payload)],
  );
}

/** Takes a message back. One that is being delivered just now is left. */
export async function withdrawMessage(tx: EntityManager, kind: MessageKind, key: string): Promise<void> {
  await tx.execute(
    'delete from outbox where id in (select id from outbox where key = ? and kind = ? for update skip locked)',
    [key, kind],
  );
}
