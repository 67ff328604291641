import type { Check } from '../checks/contract.ts';
import { type CheckResult, ended } from '../checks/run-check.ts';
import type { Identities } from '../login/identities.ts';

/** Some work ends the session that it uses, without meaning to; what does it each time has not looked. */
const maxRuns = 3;

type Sessions = Pick<Identities, 'renew'>;

/**
 * Does some work with sessions that are shown to be alive before it and after it, and does it again when one was lost on
 * the way: what a dead session is shown says nothing about a living one.
 * @returns why the last time does not count either; undefined when it does
 * @throws LoginError when a session does not come back, ProbeError
 */
export async function withLiveSessions({ renew }: Sessions, work: () => Promise<void>): Promise<string | undefined> {
  await renew();
  for (let runs = 1; ; runs += 1) {
    await work();
    const lost = await renew();
    if (lost.length === 0) return undefined;
    if (runs === maxRuns) return `the session of ${lost.join(', ')} ended on the way, ${maxRuns} times`;
  }
}

/**
 * Runs a deep check with live sessions. What one run proved stays proven, whatever became of its session later.
 * @throws the signal's reason when it is aborted
 */
export async function runLoggedIn(
  sessions: Sessions,
  check: Check,
  run: () => Promise<CheckResult>,
  signal: AbortSignal,
): Promise<CheckResult> {
  const results: CheckResult[] = [];
  try {
    const lost = await withLiveSessions(sessions, async () => {
      results.push(await run());
    });
    const result = joined(results);
    return result && lost === undefined ? result : cut(check, result, lost ?? 'it did not run');
  } catch (error) {
    signal.throwIfAborted();
    return cut(check, joined(results), error instanceof Error ? error.message : String(error));
  }
}

/** The last run has looked again; what only an earlier one found was proven all the same. */
function joined(results: readonly CheckResult[]): CheckResult | undefined {
  const [last, ...earlier] = results.toReversed();
  const found = earlier.filter(({ outcome }) => outcome.kind === 'found');
  if (!last || found.length === 0) return last;
  const all = [last, ...found];
  return {
    outcome: { ...last.outcome, kind: 'found' },
    findings: unique(
      all.flatMap(({ findings }) => findings),
      ({ fingerprint }) => fingerprint,
    ),
    facts: unique(
      all.flatMap(({ facts }) => facts),
      ({ id }) => id,
    ),
    places: new Map(all.toReversed().flatMap(({ places }) => [...places])),
  };
}

/** The first of each key. */
const unique = <T>(items: readonly T[], keyOf: (item: T) => unknown): T[] => [
  ...new Map(items.toReversed().map((item) => [keyOf(item), item])).values(),
];

/** What was found stays, with the remark that not everything was looked at. */
function cut(check: Check, so: CheckResult | undefined, reason: string): CheckResult {
  const gap = ended(check, 'not-run', reason);
  if (so?.outcome.kind !== 'found') return gap;
  return { ...so, outcome: { ...so.outcome, reason: gap.outcome.reason } };
}
