import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A change that somebody made. Append-only: the application may neither change nor delete one. */
export const AuditEntryEntity = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_log',
  properties: {
    /** UUIDv7, so in order of time. */
    id: p.uuid().primary(),
    /** Null for what belongs to no org, such as a worker's key. */
    orgId: p.uuid().nullable(),
    recordedAt: p.datetime(),
    /** "subject.verb", for instance "key.revoke". */
    action: p.text(),
    /** What was changed, for instance a key's id or a domain. */
    subject: p.text(),
    actorKind: p.text(),
    /** Empty for the system. */
    actorKeyId: p.text(),
    /** Where the call came from, as the gateway or else the connection says. */
    address: p.text(),
    requestId: p.text(),
    /** What it was and became; never a secret. */
    detail: p.json().$type<Record<string, unknown>>(),
  },
});
export type AuditEntryRow = InferEntity<typeof AuditEntryEntity>;
