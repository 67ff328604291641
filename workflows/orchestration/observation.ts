import type { Activities } from './activity-options.ts';
import { type HostBudget, shareOf, spend } from './budget.ts';
import { isCanceled, isGone, omissionOf, requestsBefore } from './failures.ts';
import type { ScanState } from './scan-state.ts';

/** Some dozens of forms, and the pages around each. */
const maxRequests = 1_500;
/** The checks that follow are what the budget is for. */
const maxPart = 0.3;

/**
 * Has the forms that a visitor saw observed. A lost observation is a gap in the coverage, not the end of the scan: forms without a
 * verdict are not probed.
 * @param queue whose activities do it
 * @returns what is left of the budget
 */
export async function observeForms(
  { runId, activities }: ScanState,
  queue: keyof Pick<Activities, 'standard' | 'deep'>,
  identity: string,
  budget: HostBudget,
): Promise<HostBudget> {
  const requests = Math.min(maxRequests, Math.floor(budget.requests * maxPart));
  const share = shareOf({ ...budget, requests });
  try {
    const spent = await activities[queue].observeForms({ runId, identity, share });
    return spend(budget, spent.requests);
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    const part = identity === '' ? 'observation' : `observation:${identity}`;
    const omissions = [omissionOf(error, part)];
    const requests = requestsBefore(error, share.maxRequests);
    await activities.control.recordPart({ runId, part, requests, omissions });
    return spend(budget, requests);
  }
}
