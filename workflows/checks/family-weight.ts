import type { Check } from './contract.ts';

/** Requests of a check that does not say. */
const usualCost = 5;
/** What takes few requests takes time nonetheless, and must not wait for its turn long after the others. */
const lightest = 130;

/** Requests that these checks are likely to send to a small site together, by which the host's budget is divided. */
export const familyWeight = (checks: readonly Pick<Check, 'cost'>[]): number =>
  Math.max(
    lightest,
    checks.reduce((sum, { cost = usualCost }) => sum + cost, 0),
  );
