import { defineEntity, p } from '@mikro-orm/core';

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
