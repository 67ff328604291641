import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A header that goes with every request of a domain's scans. */
export const ScopeHeaderEntity = defineEntity({
  name: 'ScopeHeader',
  tableName: 'scope_headers',
  properties: {
    orgId: p.uuid().primary(),
    domain: p.text().primary(),
    /** As it was given; two that differ in case are one. */
    name: p.text().primary(),
    /** Encrypted (core/crypto.ts) for the context of `headerContext`. */
    value: p.text(),
  },
});
export type ScopeHeaderRow = InferEntity<typeof ScopeHeaderEntity>;

/** What a document says of a domain's API. */
export const ScopeDocumentEntity = defineEntity({
  name: 'ScopeDocument',
  tableName: 'scope_documents',
  properties: {
    orgId: p.uuid().primary(),
    domain: p.text().primary(),
    name: p.text().primary(),
    format: p.enum(['openapi', 'postman', 'har', 'wsdl'] as const).columnType('text'),
    /** How many requests it describes. */
    requests: p.integer(),
    /** JSON of scanaudit.v1.DocumentedRequests, encrypted for the context of `documentContext`. */
    content: p.text(),
  },
});
export type ScopeDocumentRow = InferEntity<typeof ScopeDocumentEntity>;
