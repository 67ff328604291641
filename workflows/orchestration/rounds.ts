import { type HostBudget, lanesFor, shareOf, spend } from './budget.ts';
import { isCanceled, isGone, reasonOf } from './failures.ts';
import type { FamilyInput, FamilyProgress, FamilyResult } from './tasks.ts';

/**
 * The first slice ends quick families; the rest share the budget that these leave, in slices that grow, so that
 * a slow family is not held to a fifth of the rate by others that ended long ago, and histories stay short.
 */
const firstSliceMs = 15_000;
const sliceGrowth = 4;

export type Rounds = {
  families: readonly string[];
  budget: HostBudget;
  run(input: Omit<FamilyInput, 'runId'>): Promise<FamilyResult>;
  /** A family that failed for good. */
  lost(family: string, before: FamilyProgress, reason: string): Promise<void>;
  /** A family ended, well or not. */
  ended(endedCount: number): Promise<void>;
};

type Task = { family: string; before: FamilyProgress };

/**
 * Runs families beside each other within one budget until each is done or lost.
 * @returns what is left of the budget
 */
export async function runInRounds(rounds: Rounds): Promise<HostBudget> {
  let tasks: Task[] = rounds.families.map((family) => ({ family, before: { outcomes: [], requests: 0 } }));
  let { budget } = rounds;
  for (let sliceMs = firstSliceMs; tasks.length > 0; sliceMs *= sliceGrowth) {
    const slice = tasks.length > 1 ? { sliceMs } : {};
    ({ again: tasks, budget } = await runRound(rounds, tasks, budget, slice));
  }
  return budget;
}

async function runRound(rounds: Rounds, tasks: Task[], start: HostBudget, slice: { sliceMs?: number }) {
  const waiting = [...tasks];
  const again: Task[] = [];
  const lanes = lanesFor(start, tasks.length);
  const endedBefore = rounds.families.length - tasks.length;
  let budget = start;
  let answered = 0;
  const lane = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const share = shareOf(budget, lanes, tasks.length - answered);
      const result = await runSlice(rounds, { ...task, share, ...slice });
      answered += 1;
      // What a lost family has sent is not known: count all that it was allowed.
      budget = spend(budget, result === undefined ? share.maxRequests : result.requests - task.before.requests);
      if (result?.done === false) again.push({ family: task.family, before: progressOf(result) });
      else await rounds.ended(endedBefore + answered - again.length);
    }
  };
  await allSettled(Array.from({ length: lanes }, lane));
  return { again, budget };
}

const progressOf = ({ outcomes, requests }: FamilyResult): FamilyProgress => ({ outcomes, requests });

/** @returns undefined when the family is lost */
async function runSlice(rounds: Rounds, input: Omit<FamilyInput, 'runId'>): Promise<FamilyResult | undefined> {
  try {
    return await rounds.run(input);
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    await rounds.lost(input.family, input.before, reasonOf(error));
    return undefined;
  }
}

/** Waits for all, so that nothing is still at work when the first failure is acted on. */
async function allSettled(tasks: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
