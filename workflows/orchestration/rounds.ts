import { allSettled } from './all-settled.ts';
import { divide, type HostBudget, spend, total } from './budget.ts';
import { isCanceled, isGone, omissionOf } from './failures.ts';
import type { Omission } from './omissions.ts';
import type { FamilyInput, FamilyProgress, FamilyResult } from './tasks.ts';

/**
 * The first slice ends quick families; the rest share the budget that these leave, in slices that grow, so that
 * a slow family is not held to its part of the rate by others that ended long ago, and histories stay short.
 */
const firstSliceMs = 15_000;
const sliceGrowth = 4;

export type Rounds = {
  families: readonly string[];
  /** Requests that a family is likely to send; alike where it is not told. */
  weights?: Readonly<Record<string, number>>;
  budget: HostBudget;
  run(input: Omit<FamilyInput, 'runId'>): Promise<FamilyResult>;
  /** A family that failed for good. */
  lost(family: string, before: FamilyProgress, why: Omission): Promise<void>;
  /** A family ended, well or not. */
  ended(endedCount: number): Promise<void>;
};

type Task = { family: string; weight: number; before: FamilyProgress };

/** So that none is left to run alone. Of equals the order stays. */
const heaviestFirst = (a: Task, b: Task): number => b.weight - a.weight;

/**
 * Runs families beside each other within one budget until each is done or lost.
 * @returns what is left of the budget
 */
export async function runInRounds(rounds: Rounds): Promise<HostBudget> {
  const { families, weights = {} } = rounds;
  let tasks: Task[] = families
    .map((family) => ({ family, weight: weights[family] ?? 1, before: { outcomes: [], requests: 0 } }))
    .toSorted(heaviestFirst);
  let { budget } = rounds;
  for (let sliceMs = firstSliceMs; tasks.length > 0; sliceMs *= sliceGrowth) {
    const slice = tasks.length > 1 ? { sliceMs } : {};
    const { again, budget: left } = await runRound(rounds, tasks, budget, slice);
    [tasks, budget] = [again.toSorted(heaviestFirst), left];
  }
  return budget;
}

async function runRound(rounds: Rounds, tasks: Task[], start: HostBudget, slice: { sliceMs?: number }) {
  const waiting = tasks.entries();
  const again: Task[] = [];
  const division = divide(
    start,
    tasks.map(({ weight }) => weight),
  );
  const endedBefore = rounds.families.length - tasks.length;
  let budget = start;
  let weightLeft = total(tasks.map(({ weight }) => weight));
  let answered = 0;
  const lane = async () => {
    for (const [place, { family, weight, before }] of waiting) {
      const share = division.shareOf(place, budget, weightLeft);
      const result = await runSlice(rounds, { family, before, share, ...slice });
      answered += 1;
      weightLeft -= weight;
      // What a lost family has sent is not known: count all that it was allowed.
      budget = spend(budget, result === undefined ? share.maxRequests : result.requests - before.requests);
      if (result?.done === false) again.push({ family, weight, before: progressOf(result) });
      else await rounds.ended(endedBefore + answered - again.length);
    }
  };
  await allSettled(Array.from({ length: division.lanes }, lane));
  return { again, budget };
}

const progressOf = ({ outcomes, requests }: FamilyResult): FamilyProgress => ({ outcomes, requests });

/** @returns undefined when the family is lost */
async function runSlice(rounds: Rounds, input: Omit<FamilyInput, 'runId'>): Promise<FamilyResult | undefined> {
  try {
    return await rounds.run(input);
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    await rounds.lost(input.family, input.before, omissionOf(error, input.family));
    return undefined;
  }
}
