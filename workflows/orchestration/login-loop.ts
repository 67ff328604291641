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
 * Logs in as each test identity, one after the other. Before checks try wrong passwords: a site may count them, and let nobody in
 * afterwards.
 * @returns what is left of the budget, and whose login is proven
 */
export async function proveLogins(scan: ScanState, logins: readonly string[], budget: HostBudget): Promise<LoggedIn> {
  const { runId, activities } = scan;
  return forEach(scan, logins, budget, async (login, left) => {
    const { proven, requests } = await activities.deep.proveLogin({ runId, login, share: shareOf(left) });
    return { budget: spend(left, requests), isDone: proven };
  });
}

/**
 * Surveys what each identity sees, and observes the forms there.
 * @returns what is left of the budget, and who was surveyed
 */
export async function surveyAs(scan: ScanState, logins: readonly string[], budget: HostBudget): Promise<LoggedIn> {
  const { runId, activities } = scan;
  return forEach(scan, logins, budget, async (login, left) => {
    const { requests } = await activities.deep.survey({ runId, identity: login, share: shareOf(left) });
    return { budget: await observeForms(scan, 'deep', login, spend(left, requests)), isDone: true };
  });
}

type LoggedIn = { budget: HostBudget; logins: string[] };

/** One whose login or survey fails for good is a gap in the coverage, and the others go on. */
async function forEach(
  { runId, activities }: ScanState,
  logins: readonly string[],
  budget: HostBudget,
  work: (login: string, left: HostBudget) => Promise<{ budget: HostBudget; isDone: boolean }>,
): Promise<LoggedIn> {
  let left = budget;
  const done: string[] = [];
  for (const login of logins) {
    try {
      const result = await work(login, left);
      left = result.budget;
      if (result.isDone) done.push(login);
    } catch (error) {
      if (isCanceled(error) || isGone(error)) throw error;
      const part = `login:${login}`;
      await activities.control.recordPart({ runId, part, requests: 0, omissions: [omissionOf(error, part)] });
    }
  }
  return { budget: left, logins: done };
}
