import { allSettled } from '../model/all-settled.ts';
import type { BudgetShare } from '../model/budget.ts';
import type { Omission } from '../model/omission.ts';
import { type FamilyInput, type FamilyProgress, type FamilyResult, progressIn } from '../model/tasks.ts';
import { divide, type HostBudget, shareOf, spend, total } from './budget.ts';
import { isCanceled, isGone, isWorkerLost, lastProgressOf, omissionOf, requestsBefore } from './failures.ts';

/**
 * The first slice ends quick families; the rest share the budget that these leave, in slices that grow, so that
 * a slow family is not held to its part of the rate by others that ended long ago, and histories stay short.
 */
const firstSliceMs = 15_000;
const sliceGrowth = 4;

type Rounds = {
  families: readonly string[];
  /** Requests that a family is likely to send; the same for all where it is not known. */
  weights?: Readonly<Record<string, number>>;
  budget: HostBudget;
  run(input: Omit<FamilyInput, 'runId'>): Promise<FamilyResult>;
  /** The same with one attempt. */
  runOnce(input: Omit<FamilyInput, 'runId'>): Promise<FamilyResult>;
  /**
   * A family that failed for good.
   * @param withWorker it was lost with its worker twice
   */
  lost(family: string, before: FamilyProgress, why: Omission, withWorker: boolean): Promise<void>;
  /** A family ended, well or not. */
  ended(endedCount: number): Promise<void>;
};

type FamilyTask = { family: string; weight: number; before: FamilyProgress };
/** @property cut those of which only checks are left that need more than their part of the budget */
type BudgetLeft = { again: FamilyTask[]; cut: FamilyTask[]; budget: HostBudget };
/** What became of a slice. */
type Slice =
  | { result: FamilyResult }
  | { lost: 'failed'; requests: number }
  | { lost: 'worker-lost'; before: FamilyProgress };

/** So that none is left to run alone. Of equals the order stays. */
const heaviestFirst = (a: FamilyTask, b: FamilyTask): number => b.weight - a.weight;

/**
 * Runs families beside each other within one budget until each is done or lost. What was cut short goes on when all others have
 * ended, with what they left. Those that were lost with their worker run once more in the end, each alone: one of them may have
 * ended the worker, and the others were only beside it.
 * @returns what is left of the budget
 */
export async function runInRounds(rounds: Rounds): Promise<HostBudget> {
  const { families, weights = {} } = rounds;
  let tasks: FamilyTask[] = families
    .map((family) => ({ family, weight: weights[family] ?? 1, before: { outcomes: [], requests: 0 } }))
    .toSorted(heaviestFirst);
  let { budget } = rounds;
  const [cut, orphans]: [FamilyTask[], FamilyTask[]] = [[], []];
  for (let sliceMs = firstSliceMs; tasks.length > 0; sliceMs *= sliceGrowth) {
    const slice = tasks.length + cut.length > 1 ? { sliceMs } : {};
    const left = await runRound(rounds, tasks, { budget, orphans, pending: cut.length, ...slice });
    cut.push(...left.cut);
    [tasks, budget] = [left.again.toSorted(heaviestFirst), left.budget];
  }
  for (const [place, task] of cut.toSorted(heaviestFirst).entries()) {
    const pending = cut.length - place - 1;
    const part = { ...budget, requests: Math.floor(budget.requests / (pending + 1)) };
    const left = await runRound(rounds, [task], { budget: part, orphans, pending });
    budget = spend(budget, part.requests - left.budget.requests);
  }
  for (const orphan of orphans) budget = await runAlone(rounds, orphan, budget);
  return budget;
}

/** @returns what is left of the budget */
async function runAlone(rounds: Rounds, { family, before }: FamilyTask, budget: HostBudget): Promise<HostBudget> {
  const share = shareOf(budget);
  try {
    const { requests } = await rounds.runOnce({ family, before, share });
    return spend(budget, requests - before.requests);
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    await rounds.lost(family, before, omissionOf(error, family), isWorkerLost(error));
    return spend(budget, requestsBefore(error, share.maxRequests));
  }
}

type Round = {
  budget: HostBudget;
  /** Takes those that were lost with their worker. */
  orphans: FamilyTask[];
  /** Tasks that have yet to end and are not part of it. */
  pending: number;
  sliceMs?: number;
};

async function runRound(
  rounds: Rounds,
  tasks: FamilyTask[],
  { budget: start, orphans, pending, ...slice }: Round,
): Promise<BudgetLeft> {
  const waiting = tasks.entries();
  const [again, cut]: [FamilyTask[], FamilyTask[]] = [[], []];
  const division = divide(
    start,
    tasks.map(({ weight }) => weight),
  );
  const endedBefore = rounds.families.length - tasks.length - pending;
  let budget = start;
  let weightLeft = total(tasks.map(({ weight }) => weight));
  let answered = 0;
  const runNext = async () => {
    for (const [place, { family, weight, before }] of waiting) {
      const share = division.shareOf(place, budget, weightLeft);
      const ended = await runSlice(rounds, { family, before, share, ...slice });
      answered += 1;
      weightLeft -= weight;
      budget = spend(budget, spentBy(ended, before, share));
      if ('lost' in ended && ended.lost === 'worker-lost') orphans.push({ family, weight, before: ended.before });
      if ('result' in ended && !ended.result.done) {
        const { isCut = false } = ended.result;
        (isCut ? cut : again).push({ family, weight, before: progressOf(ended.result) });
      } else await rounds.ended(endedBefore + answered - again.length - cut.length);
    }
  };
  await allSettled(Array.from({ length: division.width }, runNext));
  return { again, cut, budget };
}

const progressOf = ({ done: _, isCut: _cut, ...progress }: FamilyResult): FamilyProgress => progress;

/** What a lost family has sent is not known. One that is to run once more needs something to run with. */
function spentBy(slice: Slice, before: FamilyProgress, { maxRequests }: BudgetShare): number {
  if ('result' in slice) return slice.result.requests - before.requests;
  if (slice.lost === 'failed') return slice.requests;
  const reported = slice.before.requests - before.requests;
  return Math.ceil((reported + maxRequests) / 2);
}

async function runSlice(rounds: Rounds, input: Omit<FamilyInput, 'runId'>): Promise<Slice> {
  try {
    return { result: await rounds.run(input) };
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    if (isWorkerLost(error)) return { lost: 'worker-lost', before: progressIn(lastProgressOf(error)) ?? input.before };
    await rounds.lost(input.family, input.before, omissionOf(error, input.family), false);
    return { lost: 'failed', requests: requestsBefore(error, input.share.maxRequests) };
  }
}
