import type { JsonValue } from '@bufbuild/protobuf';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

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

export const decidedStates = ['accepted_risk', 'false_positive'] as const;

/** An org's word on a finding, for one host. A finding without one is open. */
export const DecisionEntity = defineEntity({
  name: 'Decision',
  tableName: 'finding_decisions',
  properties: {
    orgId: p.uuid().primary(),
    host: p.text().primary(),
    fingerprint: p.text().primary(),
    state: p.enum(decidedStates).columnType('text'),
    reason: p.text(),
    decidedAt: p.datetime().defaultRaw('now()'),
    /** From then on the finding is open again. */
    expiresAt: p.datetime().nullable(),
  },
});
