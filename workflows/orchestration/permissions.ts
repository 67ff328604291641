import { type HostBudget, shareOf, spend } from './budget.ts';
import { isCanceled, isGone, omissionOf, requestsBefore } from './failures.ts';
import type { ScanState } from './scan-state.ts';

/** Twice 150 addresses for each of a dozen identities, and their logins. */
const maxRequests = 4_000;

/**
 * Has the permission matrix made. A lost one is a gap in the coverage, not the end of the scan.
 * @returns what is left of the budget
 */
export async function mapPermissions({ runId, activities }: ScanState, budget: HostBudget): Promise<HostBudget> {
  const share = shareOf({ ...budget, requests: Math.min(budget.requests, maxRequests) });
  try {
    const { requests } = await activities.deep.mapPermissions({ runId, share });
    return spend(budget, requests);
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    const part = 'permissions';
    const omissions = [omissionOf(error, part)];
    const requests = requestsBefore(error, share.maxRequests);
    await activities.control.recordPart({ runId, part, requests, omissions });
    return spend(budget, requests);
  }
}
