import type { Durations } from './durations.ts';

/** A line for each of the slowest files. */
export const slowestOf = (seconds: Durations, atMost: number): string[] =>
  Object.entries(seconds)
    .sort(([, one], [, other]) => other - one)
    .slice(0, atMost)
    .map(([path, each]) => `${each.toFixed(1)} s  ${path}`);
