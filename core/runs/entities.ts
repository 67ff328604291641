import type { JsonValue } from '@bufbuild/protobuf';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** What a run found. All rows belong to a run and go with it; all are upserted under keys that derive from the input. */

export const FindingEntity = defineEntity({
  name: 'Finding',
  tableName: 'findings',
  properties: {
    runId: p.uuid().primary(),
    fingerprint: p.text().primary(),
    orgId: p.uuid(),
    id: p.text(),
    checkId: p.text(),
    /** Number of scanaudit.v1.Severity: higher is worse. */
    severity: p.smallint(),
    firstSeenRunId: p.uuid(),
    /** JSON of scanaudit.v1.Finding. */
    body: p.json<JsonValue>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export type FindingRow = InferEntity<typeof FindingEntity>;

export const FamilyCoverageEntity = defineEntity({
  name: 'FamilyCoverage',
  tableName: 'family_coverage',
  properties: {
    runId: p.uuid().primary(),
    family: p.text().primary(),
    orgId: p.uuid(),
    /** JSON of scanaudit.v1.FamilyCoverage. */
    body: p.json<JsonValue>(),
  },
});
export type FamilyCoverageRow = InferEntity<typeof FamilyCoverageEntity>;

/** Something that the run left out. */
export const OmissionEntity = defineEntity({
  name: 'Omission',
  tableName: 'omissions',
  properties: {
    runId: p.uuid().primary(),
    /** Family or other part of the audit that told of it; "" is the run as a whole. */
    family: p.text().primary(),
    /** Word of scanaudit.v1.OmissionCode. */
    code: p.text().primary(),
    subject: p.text().primary(),
    orgId: p.uuid(),
    count: p.integer(),
    text: p.text(),
  },
});
export type OmissionRow = InferEntity<typeof OmissionEntity>;

export const FactEntity = defineEntity({
  name: 'Fact',
  tableName: 'facts',
  properties: {
    runId: p.uuid().primary(),
    id: p.text().primary(),
    orgId: p.uuid(),
    /** JSON of scanaudit.v1.Fact. */
    body: p.json<JsonValue>(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export type FactRow = InferEntity<typeof FactEntity>;

export const ArtifactEntity = defineEntity({
  name: 'Artifact',
  tableName: 'artifacts',
  properties: {
    runId: p.uuid().primary(),
    name: p.text().primary(),
    /** SHA-256 of the content, hexadecimal. */
    ref: p.text().primary(),
    orgId: p.uuid(),
    contentType: p.text(),
    /** Of the content before compression. */
    sizeBytes: p.integer(),
    /** Compressed. */
    content: p.blob(),
    storedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

export const writeStates = ['pending', 'undone', 'undo_failed', 'left', 'unchanged'] as const;

export const WriteEntity = defineEntity({
  name: 'Write',
  tableName: 'writes',
  properties: {
    runId: p.uuid().primary(),
    id: p.text().primary(),
    orgId: p.uuid(),
    state: p.enum(writeStates).columnType('text'),
    /** JSON of scanaudit.v1.Write. */
    body: p.json<JsonValue>(),
    recordedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

export const PermissionsEntity = defineEntity({
  name: 'Permissions',
  tableName: 'permissions',
  properties: {
    runId: p.uuid().primary(),
    orgId: p.uuid(),
    /** JSON of scanaudit.v1.Permissions. */
    body: p.json<JsonValue>(),
  },
});

export const RunSecretEntity = defineEntity({
  name: 'RunSecret',
  tableName: 'run_secrets',
  properties: {
    runId: p.uuid().primary(),
    ref: p.text().primary(),
    orgId: p.uuid(),
    /** Encrypted (core/crypto.ts). */
    value: p.text(),
  },
});
