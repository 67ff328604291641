import { defineEntity, p } from '@mikro-orm/core';

export const outboxKinds = ['start', 'cancel'] as const;

/** A message to Temporal that commits with what caused it. Deleted when delivered. */
export const OutboxEntity = defineEntity({
  name: 'OutboxEntry',
  tableName: 'outbox',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    orgId: p.uuid(),
    runId: p.uuid(),
    kind: p.enum(outboxKinds).columnType('text'),
    createdAt: p.datetime().defaultRaw('now()'),
    /** Not before. */
    availableAt: p.datetime().defaultRaw('now()'),
    attempts: p.integer().default(0),
    lastError: p.text().nullable(),
  },
});
