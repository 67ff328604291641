import { type HostBudget, shareOf, spend } from './budget.ts';
import { isCanceled, isGone, reasonOf } from './failures.ts';
import type { Scene } from './scene.ts';
import type { NotCovered, PlannedStep, PlanResult, Spent } from './tasks.ts';

/** Keeps the history of a scan within 1,000 events, whatever the facts would still allow. */
const maxSteps = 60;

/** What is lost counts with all that it was allowed, so no step is allowed everything. */
const maxRequestsPerStep = 1_000;

type Chains = {
  left: HostBudget;
  stepCount: number;
  notCovered: NotCovered[];
  /** What the last plan left out. */
  untried: NotCovered[];
};

/** Asks the planner for steps, runs them, and asks again until it has none; then reports the chains that hold. */
export async function runChains(scene: Scene, budget: HostBudget): Promise<void> {
  const { runId, activities } = scene;
  const chains: Chains = { left: budget, stepCount: 0, notCovered: [], untried: [] };
  await runToFixpoint(scene, chains);
  if (chains.stepCount === 0) return;
  await attempt(chains, 'chains', budget.requests, (share) => activities.deep.reportChains({ runId, share }));
  const requests = budget.requests - chains.left.requests;
  const notCovered = [...chains.untried, ...chains.notCovered];
  await activities.control.recordPart({ runId, part: 'chains', requests, notCovered });
}

async function runToFixpoint(scene: Scene, chains: Chains): Promise<void> {
  const { runId, activities } = scene;
  let stateRef: string | undefined;
  for (;;) {
    const plan: PlanResult = await activities.deep.planNext({
      runId,
      ...(stateRef === undefined ? {} : { stateRef }),
    });
    stateRef = plan.stateRef;
    chains.untried = plan.notCovered ?? [];
    if (plan.steps.length === 0) return;
    if (chains.stepCount + plan.steps.length > maxSteps) {
      const reason = `there were more steps after ${chains.stepCount}; a scan runs at most ${maxSteps}`;
      chains.notCovered.push({ subject: 'chains', reason });
      return;
    }
    for (const step of plan.steps) await runStep(scene, chains, step);
    chains.stepCount += plan.steps.length;
  }
}

const runStep = ({ runId, activities }: Scene, chains: Chains, step: PlannedStep) =>
  attempt(chains, step.actionId, maxRequestsPerStep, (share) => activities.deep.runChainStep({ runId, step, share }));

/** One lost step or report is a gap in the coverage, not the end of the scan. */
async function attempt(
  chains: Chains,
  subject: string,
  maxRequests: number,
  run: (share: ReturnType<typeof shareOf>) => Promise<Spent & { notCovered?: NotCovered[] }>,
): Promise<void> {
  const share = shareOf({ ...chains.left, requests: Math.min(chains.left.requests, maxRequests) });
  try {
    const { requests, notCovered = [] } = await run(share);
    chains.left = spend(chains.left, requests);
    chains.notCovered.push(...notCovered);
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    chains.left = spend(chains.left, share.maxRequests);
    chains.notCovered.push({ subject, reason: reasonOf(error) });
  }
}
