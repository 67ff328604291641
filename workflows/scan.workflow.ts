import { CancellationScope, workflowInfo } from '@temporalio/workflow';
import { activitiesFor } from './orchestration/activity-options.ts';
import { type HostBudget, openBudget, shareOf, spend, standardPart } from './orchestration/budget.ts';
import { runChains } from './orchestration/chain-loop.ts';
import { failureOf, isCanceled, isGone, reasonOf } from './orchestration/failures.ts';
import { logIn } from './orchestration/login-loop.ts';
import { runInRounds } from './orchestration/rounds.ts';
import { reportProgress, type Scene } from './orchestration/scene.ts';
import type { FinishInput, ScanInput, ScanPlan } from './orchestration/tasks.ts';

/** One audit from begin to end. It holds ids and decisions; pages, evidence and secrets never enter it. */
export async function scanWorkflow({ runId, depth }: ScanInput): Promise<void> {
  const scene: Scene = { runId, depth, activities: activitiesFor(workflowInfo().taskQueue, depth) };
  try {
    const plan = await scene.activities.control.beginRun({ runId });
    await audit(scene, plan);
    await end(scene, { runId, outcome: 'completed' });
  } catch (error) {
    if (isGone(error)) return;
    if (isCanceled(error)) await end(scene, { runId, outcome: 'canceled' });
    else await end(scene, { runId, outcome: 'failed', failure: failureOf(error) });
  }
}

async function audit(scene: Scene, plan: ScanPlan): Promise<void> {
  const { runId, depth, activities } = scene;
  await reportProgress(scene, 'survey', 0);
  const opened = openBudget(depth, plan.requestsPerSecond, Date.now());
  const surveyed = await activities.standard.survey({ runId, identity: '', share: shareOf(opened, 1, 1) });
  let budget = spend(opened, surveyed.requests);

  const part = standardPart(budget, Date.now());
  const left = await runFamilies(scene, 'standard', plan.standard, part, [0.1, depth === 'deep' ? 0.4 : 0.95]);
  if (depth === 'standard') return;

  budget = spend(budget, part.requests - left.requests);
  budget = await logIn(scene, plan.logins, budget);
  budget = await runFamilies(scene, 'deep', plan.deep, budget, [0.5, 0.8]);
  await reportProgress(scene, 'chains', 0.8);
  await runChains(scene, budget);
}

async function runFamilies(
  scene: Scene,
  phase: 'standard' | 'deep',
  families: readonly string[],
  budget: HostBudget,
  [from, to]: [number, number],
): Promise<HostBudget> {
  const { runId, activities } = scene;
  await reportProgress(scene, phase, from);
  return runInRounds({
    families,
    budget,
    run: (input) => activities[phase].runFamily({ runId, ...input }),
    lost: (family, before, reason) => activities.control.recordLostFamily({ runId, family, before, reason }),
    ended: (count) => reportProgress(scene, phase, from + ((to - from) * count) / families.length),
  });
}

/** Takes back what the audit changed, then ends the run; a cancellation does not stop either. */
async function end(scene: Scene, finish: FinishInput): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    if (scene.depth === 'deep') await undo(scene);
    if (finish.outcome === 'completed') await reportProgress(scene, 'finish', 0.95);
    await scene.activities.control.finishRun(finish).catch(unlessGone);
  });
}

/** What could not be undone stays in core's ledger of writes, and so in the report. */
async function undo({ runId, activities }: Scene): Promise<void> {
  try {
    const budget = openBudget('standard', undoRequestsPerSecond, Date.now());
    await activities.deep.undoWrites({ runId, share: shareOf(budget, 1, 1) });
  } catch (error) {
    if (isGone(error)) return;
    const notCovered = [{ subject: 'undo', reason: reasonOf(error) }];
    await activities.control.recordPart({ runId, part: 'undo', requests: 0, notCovered }).catch(unlessGone);
  }
}

/** Gentle on any host: a scan makes few writes. */
const undoRequestsPerSecond = 5;

function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}
