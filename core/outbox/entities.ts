import { defineEntity, p } from '@mikro-orm/core';

/** A message that commits with what caused it. Deleted when delivered. */
export const OutboxEntity = defineEntity({
  name: 'OutboxEntry',
  tableName: 'outbox',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    orgId: p.uuid(),
    /** One of kinds.ts. */
    kind: p.text(),
    /** A message of one kind and key is there once. */
    key: p.text(),
    payload: p.json<unknown>(),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Not before. */
    availableAt: p.datetime().defaultRaw('now()'),
    attempts: p.integer().default(0),
    lastError: p.text().nullable(),
  },
});
