import type { JsonValue } from '@bufbuild/protobuf';
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

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
    /** Family or other part of the audit that reported it; "" is the run as a whole. */
    family: p.text().primary(),
    /** Word of scanaudit.v1.OmissionCode. */
    code: p.text().primary(),
    subject: p.text().primary(),
    orgId: p.uuid(),
    count: p.integer(),
    text: p.text(),
    /** Digests of the places that it counts, where it counts places. */
    places: p.array().columnType('text[]').default([]),
  },
});
export type OmissionRow = InferEntity<typeof OmissionEntity>;
