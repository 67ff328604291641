import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Threshold } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { StoredGap } from '../coverage/accepted-gaps.ts';

/** What an org has bought: limits and entitlements, as data. Not of any org, so not under row level security. */
export const PlanEntity = defineEntity({
  name: 'Plan',
  tableName: 'plans',
  properties: {
    name: p.text().primary(),
    apiAccess: p.boolean(),
    deep: p.boolean(),
    /** For each key. */
    requestsPerMinute: p.integer(),
    /** For the org. */
    startsPerMinute: p.integer(),
    /** For the org, across all its keys. */
    orgRequestsPerMinute: p.integer(),
    /** Live keys of the org. */
    maxKeys: p.integer(),
    /** Gates that the org waits for at once. */
    waitingGates: p.integer(),
    /** Finished scans are kept this long. */
    retentionDays: p.integer(),
  },
});
export type Plan = InferEntity<typeof PlanEntity>;

export const OrgEntity = defineEntity({
  name: 'Org',
  tableName: 'orgs',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    plan: p.text(),
    /** 0 is none set. */
    gateThreshold: p.smallint().$type<Threshold>(),
    /** In the order of their codes. */
    acceptedGaps: p.json<StoredGap[]>().defaultRaw(`'[]'`),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
export type OrgRow = InferEntity<typeof OrgEntity>;
