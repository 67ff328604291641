import type { GainedLogins } from '../model/tasks.ts';
import { type HostBudget, shareOf, spend } from './budget.ts';
import { isCanceled, isGone, omissionOf } from './failures.ts';
import { observeForms } from './observation.ts';
import { reportProgress, type ScanState } from './scan-state.ts';

/** Accounts for what the org has given none for. Without them nothing else is lost, so that a failure is a gap. */
export async function gainLogins(scan: ScanState, budget: HostBudget): Promise<GainedLogins & { budget: HostBudget }> {
  const { runId, activities } = scan;
  await reportProgress(scan, 'login', 0.4);
  try {
    const { requests, ...gained } = await activities.deep.gainLogins({ runId, share: shareOf(budget) });
    return { ...gained, budget: spend(budget, requests) };
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    const part = 'accounts';
    await activities.control.recordPart({ runId, part, requests: 0, omissions: [omissionOf(error, part)] });
    return { logins: [], visitors: {}, weights: {}, budget };
  }
}

/**
 * Logs in as each test identity, one after the other, and surveys what each of them sees.
 * @returns what is left of the budget, and who was surveyed
 */
export async function logIn(scan: ScanState, logins: readonly string[], budget: HostBudget): Promise<LoggedIn> {
  let left = budget;
  const surveyed: string[] = [];
  for (const login of logins) {
    const seen = await logInAs(scan, login, left);
    left = seen.budget;
    surveyed.push(...seen.surveyed);
  }
  return { budget: left, surveyed };
}

type LoggedIn = { budget: HostBudget; surveyed: string[] };

async function logInAs(scan: ScanState, login: string, budget: HostBudget): Promise<LoggedIn> {
  const { runId, activities } = scan;
  let left = budget;
  const surveyed: string[] = [];
  try {
    const proof = await activities.deep.proveLogin({ runId, login, share: shareOf(left) });
    left = spend(left, proof.requests);
    if (!proof.proven) return { budget: left, surveyed };
    const seen = await activities.deep.survey({ runId, identity: login, share: shareOf(left) });
    left = spend(left, seen.requests);
    surveyed.push(login);
    return { budget: await observeForms(scan, 'deep', login, left), surveyed };
  } catch (error) {
    if (isCanceled(error) || isGone(error)) throw error;
    const part = `login:${login}`;
    const omissions = [omissionOf(error, part)];
    await activities.control.recordPart({ runId, part, requests: budget.requests - left.requests, omissions });
    return { budget: left, surveyed };
  }
}
