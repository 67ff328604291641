import type { Outcome } from '../orchestration/tasks.ts';
import { ProbeError } from '../probe/types.ts';
import { abortable } from './abortable.ts';
import { boundTo } from './bound-probes.ts';
import { confirmGroups, type Prover } from './confirm.ts';
import type { Candidate, Check, CheckContext, Fact } from './contract.ts';
import { factsOf } from './facts.ts';
import { type FindingInit, findingOf } from './finding.ts';

/** What one check gave, and by the id of each fact the place that showed it first. */
export type CheckResult = {
  outcome: Outcome;
  findings: FindingInit[];
  facts: Fact[];
  places: ReadonlyMap<string, Candidate>;
};

export type CheckLimits = {
  /** Longest time for the whole check. */
  timeoutMs: number;
  /** Ends everything; its reason is thrown. */
  signal: AbortSignal;
};

/** A check that runs into its time limit says so instead of holding up its family. */
class CheckTimeout extends Error {
  override name = 'CheckTimeout';
}

/**
 * Runs one check to one of its ends: found, clean, not applicable, or not run with the reason.
 * Its own faults end in the outcome, never in the caller, so that they cost its family nothing else.
 * @throws the signal's reason when it is aborted
 */
export async function runCheck(
  check: Check,
  context: CheckContext,
  prove: Prover,
  { timeoutMs, signal }: CheckLimits,
): Promise<CheckResult> {
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(new CheckTimeout(`not finished after ${timeoutMs} ms`)), timeoutMs);
  const limit = AbortSignal.any([signal, timer.signal]);
  try {
    return await abortable(lookAndConfirm(check, boundTo(limit, context), prove), limit);
  } catch (error) {
    signal.throwIfAborted();
    return ended(check, 'not-run', whyNot(error));
  } finally {
    clearTimeout(timeout);
    // What the check still has in flight must not outlive it.
    timer.abort(new CheckTimeout('the check has ended'));
  }
}

async function lookAndConfirm(check: Check, context: CheckContext, prove: Prover): Promise<CheckResult> {
  const detected = await check.detect(context);
  if ('notApplicable' in detected) return ended(check, 'not-applicable', detected.notApplicable);
  if ('notRun' in detected) return ended(check, 'not-run', detected.notRun);
  const confirm = (candidate: Candidate) => check.confirm(context, candidate);
  const { candidates, remark } = Array.isArray(detected) ? { candidates: detected, remark: '' } : detected;
  const { groups, refuted, partly } = await confirmGroups(check.id, candidates, confirm, {
    prove,
    signal: context.signal,
  });
  const found = groups.length > 0;
  const kind = found ? 'found' : partly === undefined ? 'clean' : 'not-run';
  const shown = groups.flatMap(({ fingerprint, places }) =>
    places.flatMap((place) => factsOf(check, place, { fingerprint }).map((fact) => ({ fact, place: place.candidate }))),
  );
  return {
    outcome: { checkId: check.id, kind, reason: clip(partly ?? ''), refuted, ...(remark === '' ? {} : { remark }) },
    findings: groups.map((group) => findingOf(check, group)),
    facts: shown.map(({ fact }) => fact),
    // The first one of each fact: a map keeps the last.
    places: new Map(shown.toReversed().map(({ fact, place }) => [fact.id, place])),
  };
}

/** Reasons travel in workflow histories, and may quote what a hostile host sent. */
const clip = (reason: string): string => (reason.length <= 300 ? reason : `${reason.slice(0, 299)}…`);

export const ended = (check: Check, kind: Outcome['kind'], reason: string): CheckResult => ({
  outcome: { checkId: check.id, kind, reason: clip(reason), refuted: 0 },
  findings: [],
  facts: [],
  places: new Map(),
});

/** One sentence for the report. A fault of the check itself is named as such. */
function whyNot(error: unknown): string {
  if (error instanceof ProbeError) return `${error.code}: ${error.message}`;
  if (error instanceof CheckTimeout) return `timeout: ${error.message}`;
  return `the check failed: ${error instanceof Error ? error.message : String(error)}`;
}
