import type { JsonValue } from '@bufbuild/protobuf';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** What a run found. All rows belong to a run and go with it; all are upserted under keys that derive from the input. */

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

export const writeStates = ['pending', 'undone', 'undo_failed', 'left', 'unchanged', 'unseen'] as const;

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
