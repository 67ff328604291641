import { ApplicationFailure } from '@temporalio/common';
import type { ChainStep } from '../checks/contract.ts';
import type { AllowedWrites } from '../model/budget.ts';
import type { Fact } from '../model/fact.ts';
import { type Omission, type Omitted, omissionType } from '../model/omission.ts';
import type { AuditActivities, ChainStepInput, PlanInput, PlanResult } from '../model/tasks.ts';
import { actStep } from '../planner/act.ts';
import { defaultLimits, emptyState, keyOf, type LeftOut, plan, planActionOf } from '../planner/plan.ts';
import type { Run } from '../run/run.ts';
import { store } from '../run/store.ts';
import { allowedWrites, isAllowed, notAllowed } from './allowed-writes.ts';
import { openAudit } from './audit-context.ts';
import { reportChains } from './chain-report.ts';
import type { AuditDeps } from './deps.ts';
import { loadFacts, recordFacts } from './facts.ts';
import { inAudit, inRun } from './in-audit.ts';
import { withLiveSessions } from './logged-in.ts';

type ChainActivities = Pick<AuditActivities, 'planNext' | 'runChainStep' | 'reportChains'>;

/** The planner's loop: what to try next on the facts so far, and trying it. */
export function chainActivities(deps: AuditDeps): ChainActivities {
  return {
    planNext: (input) => inRun(deps, input.runId, (run) => planNext(deps, run, input)),
    runChainStep: (input) => runChainStep(deps, input),
    reportChains: (input) => reportChains(deps, input),
  };
}

/** The state of the plan is an artifact that travels by reference, so that a repeated call gives the same plan. */
async function planNext({ registry }: AuditDeps, run: Run, { stateRef }: PlanInput): Promise<PlanResult> {
  const state = (stateRef === undefined ? undefined : await store.plan.at(run, stateRef)) ?? emptyState;
  const writes = allowedWrites(await run.context());
  const steps = registry.steps.filter((step) => isAllowed(step, writes));
  const facts = await loadFacts(run);
  const next = plan(steps.map(planActionOf), facts, state);
  return {
    steps: next.steps.map((binding) => ({ key: keyOf(binding), ...binding })),
    stateRef: await store.plan.put(run, '', next.state),
    writing: registry.steps.filter(({ risk }) => risk === 'caution').map(({ id }) => id),
    omissions: [...untried(next.leftOut), ...notAllowedIn(registry.steps, writes, facts)],
  };
}

/** Steps that what was found would give something to, and that change data where that is not allowed. */
function notAllowedIn(all: readonly ChainStep[], writes: AllowedWrites, facts: readonly Fact[]): Omission[] {
  const steps = all.filter((step) => !isAllowed(step, writes));
  const { steps: possible } = plan(steps.map(planActionOf), facts, emptyState);
  return [...Map.groupBy(possible, ({ actionId }) => actionId)].map(([subject, { length: count }]) => ({
    code: 'would_write' as const,
    subject,
    count,
    text: notAllowed,
  }));
}

/** What the planner's limits kept from being tried, in words for a reader. */
function untried({ bindings, deepFacts }: LeftOut): Omission[] {
  const gaps = [...Map.groupBy(bindings, ({ actionId }) => actionId)].map(([actionId, ways]): Omission => {
    const tried = ways.reduce((sum, way) => sum + way.tried, 0);
    const all = ways.reduce((sum, way) => sum + way.tried + way.count, 0);
    const text = `it was tried on ${tried} of ${all} combinations of what was found, without success`;
    return { code: 'too_many', subject: `${actionId}:untried`, count: all - tried, text };
  });
  if (deepFacts === 0) return gaps;
  const text = `nothing was built on ${deepFacts} results that took more than ${defaultLimits.maxDepth} steps to reach`;
  return [...gaps, { code: 'too_many', subject: 'chains:depth', count: deepFacts, text }];
}

function runChainStep(deps: AuditDeps, { runId, step: { actionId, factIds }, share }: ChainStepInput) {
  const step = deps.registry.step(actionId);
  if (!step) throw ApplicationFailure.retryable(`this worker has no step ${actionId}`, 'unknown_step');
  return inAudit(deps, { runId, share }, async (tools) => {
    const audit = await openAudit(deps, tools, { depth: 'deep', sharesSessions: step.risk === 'safe' });
    const facts = await loadFacts(tools.run, factIds);
    const bindings = factIds.flatMap((id) => facts.find((fact) => fact.id === id) ?? []);
    let left: Omitted[] = [];
    const lost = await withLiveSessions(audit.identities, async () => {
      const shown = await actStep(step, bindings, { context: audit.context, prove: audit.proverFor(actionId) });
      await recordFacts(tools.run, shown.facts);
      left = shown.left;
    });
    left.push(...(await audit.keepObserved()));
    if (lost !== undefined) throw ApplicationFailure.nonRetryable(lost.text, omissionType(lost.code));
    const omissions = [...left, ...audit.refused(left)].map((each) => ({ ...each, subject: actionId }));
    return { requests: tools.probes.requests(), omissions };
  });
}
