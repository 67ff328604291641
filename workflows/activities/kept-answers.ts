import { createKeptAnswers, type KeptAnswers } from '../probe/http/cache.ts';

/** Visitors of this worker's scans whose answers are kept: those of one take up to 32 MiB. */
const mostKept = 4;

const kept = new Map<string, KeptAnswers>();

const keyOf = (runId: string, visitor: string): string => JSON.stringify([runId, visitor]);

/** What the site has answered a visitor, for all activities of a run that look at it and change nothing. */
export function answersTo(runId: string, visitor: string): KeptAnswers {
  const key = keyOf(runId, visitor);
  const answers = kept.get(key) ?? createKeptAnswers();
  kept.delete(key);
  kept.set(key, answers);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return answers;
}

/** When the site may answer otherwise, since something was sent that could have changed it, or when the run has ended. */
export function forgetAnswers(runId: string): void {
  for (const key of kept.keys()) if (key.startsWith(`[${JSON.stringify(runId)},`)) kept.delete(key);
}
