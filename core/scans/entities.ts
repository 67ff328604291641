import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { ownershipMethods } from '../domains/entities.ts';

export const depths = ['standard', 'deep'] as const;
export const scanStatuses = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;

/** One audit of one host. Its run id is the id of its workflow too. */
export const ScanEntity = defineEntity({
  name: 'Scan',
  tableName: 'scans',
  properties: {
    /** UUIDv7. */
    runId: p.uuid().primary(),
    orgId: p.uuid(),
    /** Key that started it. */
    keyId: p.text(),
    host: p.text(),
    url: p.text(),
    /** False for a bare host: plain http is tried too. */
    schemeGiven: p.boolean().default(true),
    depth: p.enum(depths).columnType('text'),
    status: p.enum(scanStatuses).columnType('text').default('queued'),
    phase: p.text().default('queued'),
    /** 0 to 1. */
    progress: p.float().default(0),
    createdAt: p.datetime().defaultRaw('now()'),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
    /** Handed to Temporal, or about to be: one unfinished scan of an org and host at a time. */
    dispatchedAt: p.datetime().nullable(),
    cancelRequestedAt: p.datetime().nullable(),
    findingsCount: p.integer().default(0),
    critical: p.integer().default(0),
    high: p.integer().default(0),
    medium: p.integer().default(0),
    low: p.integer().default(0),
    info: p.integer().default(0),
    /** Set when the run ends. */
    coverageComplete: p.boolean().default(false),
    /** Sent to the host. */
    requests: p.integer().default(0),
    /** Requests that may have left an entry on the target; set when the run ends. */
    entriesLeft: p.integer().default(0),
    failureCode: p.text().nullable(),
    failureDetail: p.text().nullable(),
    /** Reserved or spent; 0 after a refund. */
    credits: p.integer(),
    holdId: p.uuid(),
    /** Raised by every change of what a report shows. */
    revision: p.integer().default(0),
    /** Bytes of artifacts, facts, findings and secrets that the run has stored, compressed. */
    storedBytes: p.integer().default(0),
    /** The ownership proof that allowed the start. */
    domain: p.text(),
    ownershipMethod: p.enum(ownershipMethods).columnType('text'),
    ownershipVerifiedAt: p.datetime(),
  },
});
export type ScanRow = InferEntity<typeof ScanEntity>;

/** The answer of a request that may be repeated under the same Idempotency-Key. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    orgId: p.uuid().primary(),
    key: p.text().primary(),
    /** SHA-256 of the request, hexadecimal. */
    requestHash: p.text(),
    /** JSON of the response message. */
    response: p.json<unknown>(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
  },
});
