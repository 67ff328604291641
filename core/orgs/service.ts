import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreateOrgRequest, GatePolicy, OrgSchema, OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { callerOrg, type Deps, deps } from '../context.ts';
import { CreditAccountEntity } from '../credits/entities.ts';
import { inOrg } from '../db/session.ts';
import { invalid } from '../errors.ts';
import { requireLength, requireOrgId } from '../fields.ts';
import { OrgEntity, type OrgRow, PlanEntity } from './entities.ts';
import { describeOrg, findOrg } from './find-org.ts';

export const orgService: ServiceImpl<typeof OrgService> = {
  createOrg: (request, ctx) => createOrg(deps(ctx), request),
  setPlan: (request, ctx) => setPlan(deps(ctx), requireOrgId(request.orgId), request.plan),
  getOrg: (_request, ctx) => change(deps(ctx), callerOrg(deps(ctx)).orgId),
  updateOrg: (request, ctx) => setGatePolicy(deps(ctx), request.gatePolicy),
};

type Org = MessageInitShape<typeof OrgSchema>;

/** @throws Refusal INVALID_PARAMETER */
async function createOrg({ em }: Deps, { name, plan }: CreateOrgRequest): Promise<Org> {
  requireLength('name', name.trim(), 1, 200);
  const id = randomUUID();
  return inOrg(em, id, async (tx) => {
    await requirePlan(tx, plan);
    const org = tx.create(OrgEntity, { id, name: name.trim(), plan, gateThreshold: 0, createdAt: new Date() });
    await tx.flush();
    await tx.insert(CreditAccountEntity, { orgId: id });
    return describeOrg(tx, org);
  });
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND */
const setPlan = (deps: Deps, orgId: string, plan: string): Promise<Org> =>
  change(deps, orgId, async (org, tx) => {
    await requirePlan(tx, plan);
    org.plan = plan;
  });

/** A policy that is not given stays as it was. */
const setGatePolicy = (deps: Deps, policy: GatePolicy | undefined): Promise<Org> =>
  change(deps, callerOrg(deps).orgId, (org) => {
    if (policy) org.gateThreshold = policy.threshold;
  });

/** Changes an org, if there is something to change, and shows it. */
const change = (
  { em }: Deps,
  orgId: string,
  apply?: (org: OrgRow, tx: EntityManager) => Promise<void> | void,
): Promise<Org> =>
  inOrg(em, orgId, async (tx) => {
    const org = await findOrg(tx, orgId);
    await apply?.(org, tx);
    await tx.flush();
    return describeOrg(tx, org);
  });

async function requirePlan(tx: EntityManager, name: string): Promise<void> {
  const plans = await tx.find(PlanEntity, {}, { orderBy: { name: 'asc' } });
  const names = plans.map((plan) => plan.name);
  if (!names.includes(name)) throw invalid('INVALID_PARAMETER', 'plan', `use one of ${names.join(', ')}`);
}
