import { CancellationScope, log, patched, workflowInfo } from '@temporalio/workflow';
import { type FinishInput, lockingFamily, type ScanInput, type ScanPlan } from './model/tasks.ts';
import { activitiesFor } from './orchestration/activity-options.ts';
import { type HostBudget, openBudget, partFor, shareOf, spend, standardPart } from './orchestration/budget.ts';
import { runChains } from './orchestration/chain-loop.ts';
import { failureOf, isCanceled, isGone, reasonOf } from './orchestration/failures.ts';
import { inTime } from './orchestration/in-time.ts';
import { gainLogins, proveLogins, surveyAs } from './orchestration/login-loop.ts';
import { observeForms } from './orchestration/observation.ts';
import { mapPermissions } from './orchestration/permissions.ts';
import { runInRounds } from './orchestration/rounds.ts';
import { reportProgress, type ScanState } from './orchestration/scan-state.ts';

/** Less than core's limit on the whole workflow, by the time to take changes back and to end the run. */
const auditTimeout = '20 hours';

/** One audit from begin to end. It holds ids and decisions; pages, evidence and secrets never enter it. */
export async function scanWorkflow({ runId, depth }: ScanInput): Promise<void> {
  const activities = activitiesFor(workflowInfo().taskQueue, depth);
  const scan: ScanState = { runId, depth, activities, lostWithWorker: new Set() };
  log.info('a workflow began', { depth });
  try {
    const plan = await scan.activities.control.beginRun({ runId });
    await inTime(auditTimeout, () => audit(scan, plan));
    await end(scan, { runId, outcome: 'completed', ...(scan.lostWithWorker.size > 0 && { isFree: true }) });
  } catch (error) {
    if (isGone(error)) return;
    if (isCanceled(error)) await end(scan, { runId, outcome: 'canceled' });
    else await end(scan, { runId, outcome: 'failed', failure: failureOf(error) });
  }
}

async function audit(scan: ScanState, plan: ScanPlan): Promise<void> {
  const { runId, depth, activities } = scan;
  const { ownershipCheck: checkId } = plan;
  if (checkId !== undefined) await activities.ownership.proveOwnership({ checkId });
  await reportProgress(scan, 'survey', 0);
  const opened = openBudget(depth, plan.requestsPerSecond, Date.now());
  const surveyed = await activities.standard.survey({ runId, identity: '', share: shareOf(opened) });
  let budget = await observeForms(scan, 'standard', '', spend(opened, surveyed.requests));
  const given = await proveLogins(scan, depth === 'deep' ? plan.logins : [], budget);
  budget = given.budget;

  const part = standardPart(budget, depth, Date.now());
  const families = { phase: 'standard', ids: plan.standard, weights: plan.weights } as const;
  const left = await runFamilies(scan, families, part, [0.1, depth === 'deep' ? 0.4 : 0.95]);
  budget = spend(budget, part.requests - left.requests);
  if (depth === 'standard') return void (await creditLateCallbacks(scan, plan, budget, 'late-callbacks'));

  const gained = await gainLogins(scan, budget);
  const found = await proveLogins(scan, gained.logins, gained.budget);
  const seen = await surveyAs(scan, [...given.logins, ...found.logins], found.budget);
  budget = seen.budget;
  if (plan.logins.length + gained.logins.length > 0) budget = await mapPermissions(scan, budget);
  const visitors = { ...plan.visitors, ...gained.visitors };
  const again = seen.logins.flatMap((login) => visitors[login] ?? []);
  const weights = { ...plan.weights, ...gained.weights };
  const locking = plan.deep.filter((family) => family === lockingFamily);
  const deep = [...plan.deep.filter((family) => family !== lockingFamily), ...again];
  budget = await runDeep(scan, { ...plan, weights, deep }, budget);
  // Chains build on what was called, too. Scans that began before this was so go on without it.
  if (plan.hearsCallbacks && patched('callbacks-before-chains'))
    budget = await creditLateCallbacks(scan, plan, budget, 'callbacks');
  await reportProgress(scan, 'chains', 0.8);
  budget = await runChains(scan, budget);
  const last = { phase: 'deep', ids: locking, weights } as const;
  if (locking.length > 0) await runFamilies(scan, last, partFor(budget, 1, 1, Date.now()), [0.93, 0.95]);
  await creditLateCallbacks(scan, plan, budget, 'late-callbacks');
}

/** Callbacks of servers that process values late. A failure costs only what it would have added, and is reported. */
async function creditLateCallbacks(
  scan: ScanState,
  { hearsCallbacks }: ScanPlan,
  budget: HostBudget,
  part: 'callbacks' | 'late-callbacks',
): Promise<HostBudget> {
  if (!hearsCallbacks) return budget;
  const { runId, activities } = scan;
  try {
    const isLast = part === 'late-callbacks';
    const { requests } = await activities.standard.creditLateCallbacks({ runId, share: shareOf(budget), part, isLast });
    return spend(budget, requests);
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    const omissions = [{ code: 'check_failed', subject: part, count: 1, text: reasonOf(error) } as const];
    await activities.control.recordPart({ runId, part, requests: 0, omissions });
    return budget;
  }
}

/**
 * Runs the deep families: those that only look beside each other, then those that change the target one after the other,
 * so that none sees the changes of another one, or takes them for the state before.
 */
async function runDeep(
  scan: ScanState,
  { deep, writing = [], weights }: ScanPlan,
  budget: HostBudget,
): Promise<HostBudget> {
  const looking = deep.filter((family) => !writing.includes(family));
  const groups = [looking, ...deep.filter((family) => writing.includes(family)).map((family) => [family])];
  const progressAfter = (count: number) => 0.5 + (0.3 * count) / Math.max(1, deep.length);
  let left = budget;
  let ended = 0;
  for (const group of groups) {
    const part = partFor(left, group.length, deep.length - ended, Date.now());
    const range: [number, number] = [progressAfter(ended), progressAfter(ended + group.length)];
    const { requests } = await runFamilies(scan, { phase: 'deep', ids: group, weights }, part, range);
    left = spend(left, part.requests - requests);
    ended += group.length;
  }
  return left;
}

type Families = { phase: 'standard' | 'deep'; ids: readonly string[]; weights: ScanPlan['weights'] };

async function runFamilies(
  scan: ScanState,
  { phase, ids, weights }: Families,
  budget: HostBudget,
  [from, to]: [number, number],
): Promise<HostBudget> {
  const { runId, activities } = scan;
  await reportProgress(scan, phase, from);
  return runInRounds({
    families: ids,
    ...(weights === undefined ? {} : { weights }),
    budget,
    run: (input) => activities[phase].runFamily({ runId, ...input }),
    runOnce: (input) => activities.once[phase].runFamily({ runId, ...input }),
    async lost(family, before, lost, withWorker) {
      if (withWorker) scan.lostWithWorker.add(family);
      await activities.control.recordLostFamily({ runId, family, before, lost });
    },
    ended: (count) => reportProgress(scan, phase, from + ((to - from) * count) / ids.length),
  });
}

/** Takes back what the audit changed, then ends the run; a cancellation does not stop either. */
async function end(scan: ScanState, finish: FinishInput): Promise<void> {
  await CancellationScope.nonCancellable(async () => {
    if (scan.depth === 'deep') await undo(scan);
    if (finish.outcome === 'completed') await reportProgress(scan, 'finish', 0.95);
    await scan.activities.control.finishRun(finish).catch(unlessGone);
    log.info('a workflow ended', { outcome: finish.outcome });
  });
}

/** What could not be undone stays in core's ledger of writes, and so in the report. */
async function undo({ runId, activities }: ScanState): Promise<void> {
  try {
    const budget = openBudget('standard', undoRequestsPerSecond, Date.now());
    await activities.undo.undoWrites({ runId, share: shareOf(budget) });
  } catch (error) {
    if (isGone(error)) return;
    const omissions = [{ code: 'undo_failed', subject: 'undo', count: 1, text: reasonOf(error) } as const];
    await activities.control.recordPart({ runId, part: 'undo', requests: 0, omissions }).catch(unlessGone);
  }
}

/** Gentle on any host: a scan makes few writes. */
const undoRequestsPerSecond = 5;

function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error;
}
