import type { BudgetShare } from '../probe/types.ts';
import type { Depth } from './tasks.ts';

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

/** The part of a deep run's budget that its standard families may use, so that the deep ones are sure of theirs. */
export function standardPart(budget: HostBudget, nowMs: number): HostBudget {
  return {
    ...budget,
    requests: Math.min(budget.requests, limits.standard.requests),
    deadlineMs: Math.min(budget.deadlineMs, nowMs + limits.standard.durationMs),
  };
}

/** What some of the tasks that are still to come may use, in requests and in time, so that the others are sure of theirs. */
export const partFor = (budget: HostBudget, some: number, all: number, nowMs: number): HostBudget => ({
  ...budget,
  requests: Math.floor((budget.requests * some) / Math.max(1, all)),
  deadlineMs: nowMs + Math.floor(((budget.deadlineMs - nowMs) * some) / Math.max(1, all)),
});

/** How many activities may run beside each other: each needs a connection of its own. */
export const lanesFor = (budget: HostBudget, tasks: number): number => Math.max(1, Math.min(tasks, budget.connections));

/**
 * One activity's share, so that all shares together stay within the budget.
 * @param lanes activities that run beside each other
 * @param tasks activities that have yet to end, those in other lanes included
 */
export function shareOf(budget: HostBudget, lanes: number, tasks: number): BudgetShare {
  return {
    maxRequests: Math.max(0, Math.floor(budget.requests / Math.max(1, tasks))),
    maxConnections: Math.max(1, Math.floor(budget.connections / lanes)),
    requestsPerSecond: budget.requestsPerSecond / lanes,
    deadlineMs: budget.deadlineMs,
  };
}

export const spend = (budget: HostBudget, requests: number): HostBudget => ({
  ...budget,
  requests: Math.max(0, budget.requests - requests),
});
