import type { Plan as PlanMessage } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import type { Deps } from '../context.ts';
import { inSystem } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { requireRange } from '../fields.ts';
import { type Plan, PlanEntity } from './entities.ts';

const maxPerMinute = 10_000_000;
const maxRetentionDays = 3_650;

/** By name. */
export const listPlans = ({ em }: Pick<Deps, 'em'>): Promise<Plan[]> =>
  inSystem(em, 'operator', (tx) => tx.find(PlanEntity, {}, { orderBy: { name: 'asc' } }));

/**
 * Makes a plan, or changes one; for the orgs that have it, from their next request on.
 * @throws Refusal INVALID_PARAMETER
 */
export async function putPlan(deps: Deps, wanted: PlanMessage | undefined): Promise<Plan> {
  if (!wanted) throw invalid('INVALID_PARAMETER', 'plan', 'give one');
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(wanted.name))
    throw invalid('INVALID_PARAMETER', 'plan.name', 'use 1 to 32 lower-case letters, digits and hyphens');
  requireRange('plan.requestsPerMinute', wanted.requestsPerMinute, 1, maxPerMinute);
  requireRange('plan.startsPerMinute', wanted.startsPerMinute, 1, maxPerMinute);
  requireRange('plan.retentionDays', wanted.retentionDays, 1, maxRetentionDays);
  const { name, apiAccess, deep, requestsPerMinute, startsPerMinute, retentionDays } = wanted;
  const plan = { name, apiAccess, deep, requestsPerMinute, startsPerMinute, retentionDays };
  return inSystem(deps.em, 'operator', async (tx) => {
    const before = await tx.findOne(PlanEntity, { name });
    const detail = { ...(before && { before: { ...before } }), after: plan };
    await recordChange(tx, deps, { orgId: null, action: 'plan.put', subject: name, detail });
    return tx.upsert(PlanEntity, plan);
  });
}
