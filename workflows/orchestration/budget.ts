import type { BudgetShare } from '../model/budget.ts';
import type { Depth } from '../model/tasks.ts';

/** What a run may still send to its host. */
export type HostBudget = {
  requests: number;
  /** Open at the same time. */
  connections: number;
  requestsPerSecond: number;
  /** Epoch milliseconds. */
  deadlineMs: number;
};

const minute = 60_000;
const limits: Record<Depth, { requests: number; durationMs: number }> = {
  standard: { requests: 5_000, durationMs: 15 * minute },
  deep: { requests: 50_000, durationMs: 120 * minute },
};
const maxConnections = 5;

export function openBudget(depth: Depth, requestsPerSecond: number, nowMs: number): HostBudget {
  const { requests, durationMs } = limits[depth];
  return { requests, connections: maxConnections, requestsPerSecond, deadlineMs: nowMs + durationMs };
}

/** What the standard families of a run may use of what is left: in a deep one half, so that the deep families are sure of theirs. */
export const standardPart = (budget: HostBudget, depth: Depth, nowMs: number): HostBudget =>
  depth === 'deep' ? partFor(budget, 1, 2, nowMs) : budget;

/** What some of the tasks that are still to come may use, in requests and in time, so that the others are sure of theirs. */
export const partFor = (budget: HostBudget, some: number, all: number, nowMs: number): HostBudget => ({
  ...budget,
  requests: Math.floor((budget.requests * some) / Math.max(1, all)),
  deadlineMs: nowMs + Math.floor(((budget.deadlineMs - nowMs) * some) / Math.max(1, all)),
});

/** All of a budget for one activity, which runs alone. */
export const shareOf = ({ requests, connections, requestsPerSecond, deadlineMs }: HostBudget): BudgetShare => ({
  maxRequests: requests,
  maxConnections: connections,
  requestsPerSecond,
  deadlineMs,
});

/**
 * The share of an activity that runs beside others like it.
 * @param budget without what the others may still use
 * @param width activities that run at the same time at most
 * @param idle those of them that have not begun, this one included
 */
export const shareOfOne = (budget: HostBudget, width: number, idle: number): BudgetShare => ({
  maxRequests: Math.floor(budget.requests / Math.max(1, idle)),
  maxConnections: Math.max(1, Math.floor(budget.connections / Math.max(1, width))),
  requestsPerSecond: budget.requestsPerSecond / Math.max(1, width),
  deadlineMs: budget.deadlineMs,
});

/** How the host's budget is divided among activities, of which so many may run beside each other. */
type Division = {
  width: number;
  /**
   * One activity's share. Whichever of them run at the same time, their shares together stay within the budget.
   * @param place of the activity among the weights
   * @param budget what is left of it
   * @param weightLeft of the activities that have yet to end, those that run now included
   */
  shareOf(place: number, budget: HostBudget, weightLeft: number): BudgetShare;
};

/**
 * Divides by weight, so that activities that send much do not end long after the others.
 * @param weights requests that each is likely to send, the largest first
 */
export function divide({ connections }: HostBudget, weights: readonly number[]): Division {
  const width = widthFor(weights, connections);
  // No others that could run at once weigh more.
  const heaviest = weights.slice(0, width);
  const connectionsOf = spread(connections, heaviest);
  const atOnce = total(heaviest);
  return {
    width,
    shareOf(place, budget, weightLeft) {
      const weight = weights[place] ?? 0;
      return {
        maxRequests: Math.floor((budget.requests * weight) / Math.max(weight, weightLeft)),
        maxConnections: connectionsOf[place] ?? 1,
        requestsPerSecond: (budget.requestsPerSecond * weight) / atOnce,
        deadlineMs: budget.deadlineMs,
      };
    },
  };
}

/** Each activity needs a connection of its own; one that outweighs all that could run beside it has a second one. */
function widthFor(weights: readonly number[], connections: number): number {
  const [first = 0, ...others] = weights.slice(0, connections);
  const width = others.length > 0 && first > total(others) ? connections - 1 : connections;
  return Math.max(1, Math.min(weights.length, width));
}

/** One connection for each, and every further one to who has the most weight for each of its own. */
function spread(connections: number, weights: readonly number[]): number[] {
  const given = weights.map(() => 1);
  for (let left = connections - weights.length; left > 0 && weights.length > 0; left--) {
    const need = weights.map((weight, place) => weight / (given[place] ?? 1));
    const place = need.indexOf(Math.max(...need));
    given[place] = (given[place] ?? 0) + 1;
  }
  return given;
}

export const total = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0);

export const spend = (budget: HostBudget, requests: number): HostBudget => ({
  ...budget,
  requests: Math.max(0, budget.requests - requests),
});
