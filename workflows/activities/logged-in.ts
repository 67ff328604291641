import type { Check } from '../checks/contract.ts';
import { omissionCode, united } from '../checks/omitted.ts';
import { type CheckResult, notLooked } from '../checks/run-check.ts';
import type { Identities } from '../login/identities.ts';
import { isGuest } from '../model/gained-name.ts';
import type { Omitted } from '../model/omission.ts';

/** Some work ends the session that it uses, without meaning to; what does it each time has not looked. */
const maxRuns = 3;

type RenewableSessions = Pick<Identities, 'renew'>;

/**
 * Does some work with sessions that are shown to be valid before it and after it, and does it again when one was lost on
 * the way: answers to an expired session prove nothing about a valid one.
 * @param work is given whose session ended the time before
 * @returns why the last time does not count either; undefined when it does
 * @throws LoginError when a session does not come back, ProbeError
 */
export async function withLiveSessions(
  { renew }: RenewableSessions,
  work: (lost: readonly string[]) => Promise<void>,
): Promise<Omitted | undefined> {
  await renew();
  let lost: readonly string[] = [];
  for (let runs = 1; ; runs += 1) {
    await work(lost);
    lost = await renew();
    if (lost.length === 0) return undefined;
    const text = `the session of ${lost.join(', ')} ended on the way, ${maxRuns} times`;
    if (runs === maxRuns) return { code: 'login_lost', count: lost.length, text };
  }
}

/** What others are shown stands, whatever became of a session that a page of the site gives and takes. */
export const withoutGuests = ({ renew }: RenewableSessions): RenewableSessions => ({
  renew: async () => (await renew()).filter((name) => !isGuest(name)),
});

/** What a check ended by itself is there again for the next one, and keeps this one from nothing. */
const withoutLosses = ({ renew }: RenewableSessions): RenewableSessions => ({
  renew: async () => {
    await renew();
    return [];
  },
});

/**
 * Runs a deep check with live sessions. What one run proved stays proven, whatever became of its session later.
 * @throws the signal's reason when it is aborted
 */
export async function runLoggedIn(
  sessions: RenewableSessions,
  check: Check,
  run: (lost: readonly string[]) => Promise<CheckResult>,
  signal: AbortSignal,
): Promise<CheckResult> {
  const results: CheckResult[] = [];
  try {
    const watched = check.endsSessions ? withoutLosses(sessions) : sessions;
    const lost = await withLiveSessions(watched, async (lost) => {
      results.push(await run(lost));
    });
    const result = joined(results);
    return result && lost === undefined ? result : cut(check, result, lost ?? didNotRun);
  } catch (error) {
    signal.throwIfAborted();
    const text = error instanceof Error ? error.message : String(error);
    return cut(check, joined(results), { code: omissionCode(error), count: 1, text });
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

const didNotRun: Omitted = { code: 'check_failed', count: 1, text: 'it did not run' };

/** What was found stays, with the remark that not everything was looked at. */
function cut(check: Check, so: CheckResult | undefined, omitted: Omitted): CheckResult {
  const { outcome } = notLooked(check, omitted);
  if (so?.outcome.kind !== 'found') return notLooked(check, omitted);
  const all = united([...outcome.omitted, ...so.outcome.omitted]);
  return { ...so, outcome: { ...so.outcome, reason: outcome.reason, omitted: all } };
}
