import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { OrgSchema } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { acceptedGapsOf } from '../coverage/accepted-gaps.ts';
import { balanceOf } from '../credits/ledger.ts';
import { Refusal } from '../errors.ts';
import { OrgEntity, type OrgRow, PlanEntity } from './entities.ts';

export const unknownOrg = (): Refusal => new Refusal('NOT_FOUND', { message: 'There is no such org.' });

/** @throws Refusal NOT_FOUND */
export async function findOrg(tx: EntityManager, orgId: string): Promise<OrgRow> {
  const org = await tx.findOne(OrgEntity, { id: orgId });
  if (!org) throw unknownOrg();
  return org;
}

/** The org as the contract shows it, with what its plan gives and what credit it has. */
export async function describeOrg(tx: EntityManager, org: OrgRow): Promise<MessageInitShape<typeof OrgSchema>> {
  const plan = await tx.findOneOrFail(PlanEntity, { name: org.plan });
  return {
    orgId: org.id,
    name: org.name,
    plan: plan.name,
    entitlements: { apiAccess: plan.apiAccess, deep: plan.deep },
    credit: await balanceOf(tx, org.id),
    limits: {
      requestsPerMinute: plan.requestsPerMinute,
      startsPerMinute: plan.startsPerMinute,
      orgRequestsPerMinute: plan.orgRequestsPerMinute,
      maxKeys: plan.maxKeys,
      waitingGates: plan.waitingGates,
    },
    gatePolicy: { threshold: org.gateThreshold, acceptedGaps: acceptedGapsOf(org.acceptedGaps) },
    createdAt: timestampFromDate(org.createdAt),
  };
}
