import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

const keyKinds = ['org', 'service', 'worker', 'operator', 'listener'] as const;

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    /** The 8 characters after "sa_". */
    keyId: p.text().primary(),
    /** Of a key of kind "org" only. */
    orgId: p.uuid().nullable(),
    kind: p.enum(keyKinds).columnType('text'),
    name: p.text(),
    scopes: p.array().columnType('text[]'),
    /** SHA-256 of the whole key. */
    hash: p.blob(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    /** To the minute. */
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    /** The key of the same kind that made it, and is revoked with it. */
    madeBy: p.text().nullable(),
  },
});
export type ApiKeyRow = InferEntity<typeof ApiKeyEntity>;
