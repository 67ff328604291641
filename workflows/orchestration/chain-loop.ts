import { allSettled } from '../model/all-settled.ts';
import type { BudgetShare } from '../model/budget.ts';
import type { Omission } from '../model/omission.ts';
import type { PlannedStep, PlanResult, Spent } from '../model/tasks.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { type HostBudget, shareOf, shareOfOne, spend } from './budget.ts';
import { isCanceled, isGone, omissionOf, requestsBefore } from './failures.ts';
import type { ScanState } from './scan-state.ts';

/** Keeps the history of a scan within 1,000 events, whatever the facts would still allow. */
const maxSteps = 60;

/** What is lost counts with all that it was allowed, so no step is allowed everything. */
const maxRequestsPerStep = 1_000;

type Chains = {
  left: HostBudget;
  /** What the running steps may still use of it, in requests. */
  granted: number;
  stepCount: number;
  omissions: Omission[];
  /** What the last plan left out. */
  untried: Omission[];
};

/**
 * Asks the planner for steps, runs them, and asks again until it has none; then reports the chains that hold.
 * @returns what is left of the budget
 */
export async function runChains(scan: ScanState, budget: HostBudget): Promise<HostBudget> {
  const { runId, activities } = scan;
  const chains: Chains = { left: budget, granted: 0, stepCount: 0, omissions: [], untried: [] };
  await runToFixpoint(scan, chains);
  if (chains.stepCount === 0 && chains.untried.length === 0) return chains.left;
  if (chains.stepCount > 0) {
    const share = shareOf(chains.left);
    await attempt(chains, 'chains', share, () => activities.deep.reportChains({ runId, share }));
  }
  const requests = budget.requests - chains.left.requests;
  const omissions = [...chains.untried, ...chains.omissions];
  await activities.control.recordPart({ runId, part: 'chains', requests, omissions });
  return chains.left;
}

async function runToFixpoint(scan: ScanState, chains: Chains): Promise<void> {
  const { runId, activities } = scan;
  let stateRef: string | undefined;
  for (;;) {
    const plan: PlanResult = await activities.deep.planNext({
      runId,
      ...(stateRef === undefined ? {} : { stateRef }),
    });
    stateRef = plan.stateRef;
    chains.untried = plan.omissions ?? [];
    if (plan.steps.length === 0) return;
    if (chains.stepCount + plan.steps.length > maxSteps) {
      const count = plan.steps.length;
      const text = `${counted(count, 'step')} of chains ${wasOrWere(count)} not run after ${chains.stepCount}: a scan runs at most ${maxSteps}`;
      chains.omissions.push({ code: 'too_many', subject: 'chains', count, text });
      return;
    }
    await runSteps(scan, chains, plan);
    chains.stepCount += plan.steps.length;
  }
}

/** Runs those that only look beside each other, then those that change the target one after the other. */
async function runSteps(scan: ScanState, chains: Chains, { steps, writing }: PlanResult): Promise<void> {
  const isAlone = ({ actionId }: PlannedStep) => writing === undefined || writing.includes(actionId);
  const looking = steps.filter((step) => !isAlone(step));
  const waiting = looking.values();
  const width = Math.min(looking.length, chains.left.connections);
  let idle = width;
  const runNext = async () => {
    for (const step of waiting) {
      const share = shareOfOne({ ...chains.left, requests: chains.left.requests - chains.granted }, width, idle);
      idle -= 1;
      await runStep(scan, chains, step, share);
      idle += 1;
    }
  };
  await allSettled(Array.from({ length: width }, runNext));
  for (const step of steps.filter(isAlone)) await runStep(scan, chains, step, shareOf(chains.left));
}

const runStep = ({ runId, activities }: ScanState, chains: Chains, step: PlannedStep, whole: BudgetShare) => {
  const share = { ...whole, maxRequests: Math.min(whole.maxRequests, maxRequestsPerStep) };
  return attempt(chains, step.actionId, share, () => activities.deep.runChainStep({ runId, step, share }));
};

/** One lost step or report is a gap in the coverage, not the end of the scan. */
async function attempt(
  chains: Chains,
  subject: string,
  share: BudgetShare,
  run: () => Promise<Spent & { omissions?: Omission[] }>,
): Promise<void> {
  chains.granted += share.maxRequests;
  try {
    const { requests, omissions = [] } = await run();
    chains.left = spend(chains.left, requests);
    chains.omissions.push(...omissions);
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    chains.left = spend(chains.left, requestsBefore(error, share.maxRequests));
    chains.omissions.push(omissionOf(error, subject));
  } finally {
    chains.granted -= share.maxRequests;
  }
}
