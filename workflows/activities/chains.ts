import { ApplicationFailure } from '@temporalio/common';
import type { Fact } from '../checks/contract.ts';
import type { AuditActivities, ChainStepInput, PlanInput, PlanResult } from '../orchestration/tasks.ts';
import { actStep } from '../planner/act.ts';
import { emptyState, keyOf, type PlanAction, type PlanState, plan } from '../planner/plan.ts';
import type { Run } from '../runs.ts';
import { openAudit } from './audit-context.ts';
import { reportChains } from './chain-report.ts';
import type { AuditDeps } from './deps.ts';
import { loadFacts, recordFacts } from './facts.ts';
import { inAudit, inRun } from './scene.ts';

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
  const stored = stateRef === undefined ? undefined : await run.findArtifact(stateRef);
  const state = stored ? (JSON.parse(Buffer.from(stored).toString('utf8')) as PlanState) : emptyState;
  const next = plan(registry.steps.map(planAction), await loadFacts(run), state);
  const content = Buffer.from(JSON.stringify(next.state));
  return {
    steps: next.steps.map((binding) => ({ key: keyOf(binding), ...binding })),
    stateRef: await run.putArtifact('plan', 'application/json', content),
  };
}

const planAction = ({ id, needs, gives, goal, cost }: AuditDeps['registry']['steps'][number]): PlanAction => ({
  id,
  needs,
  gives: gives?.kinds ?? [],
  cost,
  ...(goal === undefined ? {} : { goal }),
});

function runChainStep(deps: AuditDeps, { runId, step: { actionId, factIds }, share }: ChainStepInput) {
  const step = deps.registry.step(actionId);
  if (!step) throw ApplicationFailure.retryable(`this worker has no step ${actionId}`, 'unknown_step');
  return inAudit(deps, { runId, share }, async (scene) => {
    const audit = await openAudit(deps, scene, 'deep');
    const facts = await loadFacts(scene.run, factIds);
    const bindings = factIds.flatMap((id): Fact[] => facts.filter((fact) => fact.id === id));
    const shown = await actStep(step, bindings, { context: audit.context, prove: audit.proverFor(actionId) });
    await recordFacts(scene.run, shown.facts);
    if (shown.partly !== undefined) throw ApplicationFailure.nonRetryable(shown.partly, 'not_looked_at');
    return { requests: scene.probes.requests() };
  });
}
