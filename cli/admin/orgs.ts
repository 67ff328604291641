import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CreditService, GrantCreditsResponseSchema } from '../../proto/gen/scanaudit/v1/credits_pb.ts';
import {
  ListOrgsResponseSchema,
  ListPlansResponseSchema,
  type Org,
  OrgSchema,
  OrgService,
  type OrgSummary,
  PlanSchema,
} from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import type { Printer } from '../terminal.ts';
import { type AdminCore, ask } from './core.ts';
import { type OutputOptions, print, printPairs, printTable, timeText } from './output.ts';

export type Admin = { core: AdminCore; out: Printer };

export async function createOrg({ core, out }: Admin, name: string, options: OutputOptions & { plan: string }) {
  const org = await ask(core(OrgService).createOrg({ name, plan: options.plan }));
  print(out, options, [OrgSchema, org], () => printOrg(out, org));
}

export async function listOrgs({ core, out }: Admin, options: OutputOptions & { limit: number }) {
  const items: OrgSummary[] = [];
  for (let cursor = ''; items.length < options.limit; ) {
    const limit = Math.min(100, options.limit - items.length);
    const page = await ask(core(OrgService).listOrgs({ limit, cursor }));
    items.push(...page.items);
    if (page.nextCursor === undefined) break;
    cursor = page.nextCursor;
  }
  print(out, options, [ListOrgsResponseSchema, create(ListOrgsResponseSchema, { items })], () =>
    printTable(
      out,
      ['ORG ID', 'NAME', 'PLAN', 'CREATED (UTC)'],
      items.map((org) => [org.orgId, org.name, org.plan, timeText(org.createdAt)]),
      'There are no orgs.',
    ),
  );
}

export async function showOrg({ core, out }: Admin, orgId: string, options: OutputOptions) {
  const org = await ask(core(OrgService).readOrg({ orgId }));
  print(out, options, [OrgSchema, org], () => printOrg(out, org));
}

export async function setPlan({ core, out }: Admin, orgId: string, plan: string, options: OutputOptions) {
  const org = await ask(core(OrgService).setPlan({ orgId, plan }));
  print(out, options, [OrgSchema, org], () => printOrg(out, org));
}

export async function listPlans({ core, out }: Admin, options: OutputOptions) {
  const plans = await ask(core(OrgService).listPlans({}));
  print(out, options, [ListPlansResponseSchema, plans], () =>
    printTable(
      out,
      ['PLAN', 'API', 'DEEP', 'REQUESTS/MIN', 'OF THE ORG', 'STARTS/MIN', 'KEYS', 'WAITING', 'KEPT (DAYS)'],
      plans.items.map((plan) => [
        plan.name,
        yesNo(plan.apiAccess),
        yesNo(plan.deep),
        String(plan.requestsPerMinute),
        String(plan.orgRequestsPerMinute),
        String(plan.startsPerMinute),
        String(plan.maxKeys),
        String(plan.waitingGates),
        String(plan.retentionDays),
      ]),
      'There are no plans.',
    ),
  );
}

export type PlanOptions = OutputOptions & {
  apiAccess?: boolean;
  deep?: boolean;
  requestsPerMinute: number;
  startsPerMinute: number;
  retentionDays: number;
  orgRequestsPerMinute?: number;
  maxKeys?: number;
  waitingGates?: number;
};

export async function putPlan({ core, out }: Admin, name: string, { json, ...given }: PlanOptions) {
  const plan = { name, ...given, apiAccess: given.apiAccess ?? false, deep: given.deep ?? false };
  const stored = await ask(core(OrgService).putPlan({ plan }));
  print(out, { ...(json && { json }) }, [PlanSchema, stored], () =>
    out.line(`The plan ${name} is as you said, for each org from its next request on.`),
  );
}

export type GrantOptions = OutputOptions & { reason: string; idempotencyKey?: string; expires?: Date };

export async function grantCredits({ core, out }: Admin, orgId: string, amount: number, options: GrantOptions) {
  const { reason, idempotencyKey = randomUUID(), expires } = options;
  const expiresAt = expires && { expiresAt: timestampFromDate(expires) };
  const granted = await ask(core(CreditService).grantCredits({ orgId, amount, reason, idempotencyKey, ...expiresAt }));
  print(out, options, [GrantCreditsResponseSchema, granted], () =>
    out.line(`The org has ${granted.credit?.available ?? 0} credits, and ${granted.credit?.reserved ?? 0} on hold.`),
  );
}

function printOrg(out: Printer, { orgId, name, plan, entitlements, credit, limits, createdAt }: Org): void {
  printPairs(out, [
    ['org', orgId],
    ['name', name],
    ['plan', plan],
    ['API access', yesNo(entitlements?.apiAccess)],
    ['deep scans', yesNo(entitlements?.deep)],
    ['credit', `${credit?.available ?? 0} (${credit?.reserved ?? 0} on hold)`],
    ['limits of a key', `${limits?.requestsPerMinute} requests a minute`],
    ['limits of the org', `${limits?.orgRequestsPerMinute} requests, ${limits?.startsPerMinute} starts a minute`],
    ['at once', `${limits?.maxKeys} keys, ${limits?.waitingGates} waiting gates`],
    ['created', timeText(createdAt)],
  ]);
}

const yesNo = (value: boolean | undefined): string => (value ? 'yes' : 'no');
