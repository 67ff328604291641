import { randomUUID } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ServiceImpl } from '@connectrpc/connect';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { CreateOrgRequest, GatePolicy, OrgSchema, OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { type Threshold, ThresholdSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { recordChange } from '../audit-log/record.ts';
import { callerOrg, type Deps, deps } from '../context.ts';
import { storedGapsOf } from '../coverage/accepted-gaps.ts';
import { CreditAccountEntity } from '../credits/entities.ts';
import { inOrg } from '../db/session.ts';
import { enumWord } from '../enum-words.ts';
import { invalid } from '../errors.ts';
import { given, requireOrgId } from '../fields.ts';
import { OrgEntity, type OrgRow, PlanEntity } from './entities.ts';
import { describeOrg, findOrg } from './find-org.ts';
import { listOrgs } from './list-orgs.ts';
import { listPlans, putPlan } from './plans.ts';

export const orgService: ServiceImpl<typeof OrgService> = {
  createOrg: (request, ctx) => createOrg(deps(ctx), request),
  setPlan: (request, ctx) => setPlan(deps(ctx), requireOrgId(request.orgId), request.plan),
  listOrgs: (request, ctx) => listOrgs(deps(ctx), request),
  readOrg: ({ orgId }, ctx) => change(deps(ctx), requireOrgId(orgId)),
  listPlans: async (_request, ctx) => ({ items: await listPlans(deps(ctx)) }),
  putPlan: ({ plan }, ctx) => putPlan(deps(ctx), given(plan)),
  getOrg: (_request, ctx) => change(deps(ctx), callerOrg(deps(ctx)).orgId),
  updateOrg: (request, ctx) => setGatePolicy(deps(ctx), request.gatePolicy),
};

type OrgInit = MessageInitShape<typeof OrgSchema>;

/** @throws Refusal INVALID_PARAMETER */
async function createOrg(deps: Deps, { name, plan }: CreateOrgRequest): Promise<OrgInit> {
  const id = randomUUID();
  return inOrg(deps.em, id, async (tx) => {
    await requirePlan(tx, plan);
    const org = tx.create(OrgEntity, {
      id,
      name: name.trim(),
      plan,
      gateThreshold: 0,
      acceptedGaps: [],
      createdAt: new Date(),
    });
    await tx.flush();
    await tx.insert(CreditAccountEntity, { orgId: id });
    await recordChange(tx, deps, { orgId: id, action: 'org.create', subject: id, detail: { name: org.name, plan } });
    return describeOrg(tx, org);
  });
}

/** @throws Refusal INVALID_PARAMETER, NOT_FOUND */
const setPlan = (deps: Deps, orgId: string, plan: string): Promise<OrgInit> =>
  change(deps, orgId, async (org, tx) => {
    await requirePlan(tx, plan);
    const detail = { before: org.plan, after: plan };
    org.plan = plan;
    await recordChange(tx, deps, { orgId, action: 'plan.set', subject: orgId, detail });
  });

const wordOf = (threshold: Threshold) => enumWord(ThresholdSchema, threshold);

/** A policy that is not given stays as it was. @throws Refusal INVALID_PARAMETER */
const setGatePolicy = (deps: Deps, policy: GatePolicy | undefined): Promise<OrgInit> =>
  change(deps, callerOrg(deps).orgId, async (org, tx) => {
    if (!policy) return;
    const acceptedGaps = storedGapsOf(policy.acceptedGaps);
    const before = { threshold: wordOf(org.gateThreshold), acceptedGaps: org.acceptedGaps };
    const detail = { before, after: { threshold: wordOf(policy.threshold), acceptedGaps } };
    org.gateThreshold = policy.threshold;
    org.acceptedGaps = acceptedGaps;
    await recordChange(tx, deps, { orgId: org.id, action: 'gate-policy.update', subject: org.id, detail });
  });

/** Changes an org, if there is something to change, and shows it. */
const change = (
  { em }: Deps,
  orgId: string,
  apply?: (org: OrgRow, tx: EntityManager) => Promise<void> | void,
): Promise<OrgInit> =>
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
