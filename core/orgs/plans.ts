import type { Plan as PlanMessage } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import type { Deps } from '../context.ts';
import { inSystem } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { requireRange } from '../fields.ts';
import { type Plan, PlanEntity } from './entities.ts';

const maxPerMinute = 10_000_000;
const maxRetentionDays = 3_650;
const mostKeys = 100_000;
const mostWaitingGates = 100_000;

/** What a plan gives that does not say otherwise: as much as so many keys that use up their limits, and so on. */
const busyKeys = 5;
const usualKeys = 50;
const usualWaitingGates = 20;

/** By name. */
export const listPlans = ({ em }: Pick<Deps, 'em'>): Promise<Plan[]> =>
  inSystem(em, 'operator', (tx) => tx.find(PlanEntity, {}, { orderBy: { name: 'asc' } }));

/**
 * Makes a plan, or changes one; for the orgs that have it, from their next request on.
 * @throws Refusal INVALID_PARAMETER
 */
export async function putPlan(deps: Deps, wanted: PlanMessage | undefined): Promise<Plan> {
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
function readPlan(wanted: PlanMessage | undefined): Plan {
  if (!wanted) throw invalid('INVALID_PARAMETER', 'plan', 'give one');
  const { name, apiAccess, deep, requestsPerMinute, startsPerMinute, retentionDays } = wanted;
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(name))
    throw invalid('INVALID_PARAMETER', 'plan.name', 'use 1 to 32 lower-case letters, digits and hyphens');
  requireRange('plan.requestsPerMinute', requestsPerMinute, 1, maxPerMinute);
  requireRange('plan.startsPerMinute', startsPerMinute, 1, maxPerMinute);
  requireRange('plan.retentionDays', retentionDays, 1, maxRetentionDays);
  const {
    orgRequestsPerMinute = Math.min(requestsPerMinute * busyKeys, maxPerMinute),
    maxKeys = usualKeys,
    waitingGates = usualWaitingGates,
  } = wanted;
  requireRange('plan.orgRequestsPerMinute', orgRequestsPerMinute, 1, maxPerMinute);
  requireRange('plan.maxKeys', maxKeys, 1, mostKeys);
  requireRange('plan.waitingGates', waitingGates, 1, mostWaitingGates);
  const limits = { requestsPerMinute, startsPerMinute, orgRequestsPerMinute, maxKeys, waitingGates };
  return { name, apiAccess, deep, ...limits, retentionDays };
}
