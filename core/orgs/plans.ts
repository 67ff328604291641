import { getOption } from '@bufbuild/protobuf';
import { field } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { type Plan as PlanMessage, PlanSchema } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import type { Deps } from '../context.ts';
import { inSystem } from '../db/session.ts';
import { type Plan, PlanEntity } from './entities.ts';

const { max: maxPerMinute = 0 } = getOption(PlanSchema.field.orgRequestsPerMinute, field);

/** What a plan gives that does not say otherwise: as much as so many keys that use up their limits, and so on. */
const busyKeys = 5;
const usualKeys = 50;
const usualWaitingGates = 20;

/** By name. */
export const listPlans = ({ em }: Pick<Deps, 'em'>): Promise<Plan[]> =>
  inSystem(em, 'operator', (tx) => tx.find(PlanEntity, {}, { orderBy: { name: 'asc' } }));

/** Makes a plan, or changes one; for the orgs that have it, from their next request on. */
export async function putPlan(deps: Deps, wanted: PlanMessage): Promise<Plan> {
  const plan = readPlan(wanted);
  const { name } = plan;
  return inSystem(deps.em, 'operator', async (tx) => {
    const before = await tx.findOne(PlanEntity, { name });
    const detail = { ...(before && { before: { ...before } }), after: plan };
    await recordChange(tx, deps, { orgId: null, action: 'plan.put', subject: name, detail });
    return tx.upsert(PlanEntity, plan);
  });
}

/** A plan with the limits that it does not name. */
function readPlan(wanted: PlanMessage): Plan {
  const { name, apiAccess, deep, requestsPerMinute, startsPerMinute, retentionDays } = wanted;
  const {
    orgRequestsPerMinute = Math.min(requestsPerMinute * busyKeys, maxPerMinute),
    maxKeys = usualKeys,
    waitingGates = usualWaitingGates,
  } = wanted;
  const limits = { requestsPerMinute, startsPerMinute, orgRequestsPerMinute, maxKeys, waitingGates };
  return { name, apiAccess, deep, ...limits, retentionDays };
}
