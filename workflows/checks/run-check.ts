import type { Candidate } from '../model/candidate.ts';
import type { Fact } from '../model/fact.ts';
import type { Omitted } from '../model/omission.ts';
import { ProbeError } from '../model/probe-error.ts';
import type { TaskOutcome } from '../model/tasks.ts';
import { abortable } from './abortable.ts';
import { boundTo } from './bound-probes.ts';
import { type Confirmed, confirmGroups, type ProvenGroups, type Prover } from './confirm.ts';
import type { Check, CheckContext } from './contract.ts';
import { factsOf } from './facts.ts';
import { type FindingInit, findingOf } from './finding.ts';
import { weaknessOf } from './fingerprint.ts';
import type { FindingGroup } from './group.ts';
import { leftSince } from './left-before.ts';
import { isGap, omittedBy, omittedText, united } from './omitted.ts';
import { reportingPartialReads } from './read-partly.ts';
import { gathered } from './same-everywhere.ts';

/** What one check gave, and by the id of each fact the place that showed it first. */
export type CheckResult = {
  outcome: TaskOutcome;
  findings: FindingInit[];
  facts: Fact[];
  places: ReadonlyMap<string, Candidate>;
};

type CheckLimits = {
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
 * Runs one check to one of its ends: found, clean, not applicable, or not run with the reason. What it has proven before its
 * time was up is found.
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
  const proven: ProvenGroups = new Map();
  try {
    return await abortable(lookAndConfirm(check, boundTo(limit, context), prove, proven), limit);
  } catch (error) {
    signal.throwIfAborted();
    const why = whyNot(error);
    return error instanceof CheckTimeout && proven.size > 0
      ? resultOf(check, gathered(weaknessOf(check), [...proven.values()]), { refuted: 0, omitted: [why] })
      : notLooked(check, why);
  } finally {
    clearTimeout(timeout);
    // What the check still has in flight must not outlive it.
    timer.abort(new CheckTimeout('the check has ended'));
  }
}

async function lookAndConfirm(
  check: Check,
  shared: CheckContext,
  prove: Prover,
  proven: ProvenGroups,
): Promise<CheckResult> {
  const { omitted: left, leave } = leftSince(shared.surface, check.id);
  const context = reportingPartialReads({ ...shared, checkId: check.id, leave });
  const detected = await check.detect(context);
  if ('notApplicable' in detected) return without(check, detected.notApplicable, left);
  if ('notRun' in detected) return notLooked(check, detected.notRun);
  const confirm = (candidate: Candidate) => check.confirm(context, candidate);
  const { candidates, omitted: untried } = Array.isArray(detected) ? { candidates: detected, omitted: [] } : detected;
  const {
    groups,
    refuted,
    omitted: unproven,
  } = await confirmGroups(weaknessOf(check), candidates, confirm, {
    prove,
    signal: context.signal,
    groups: proven,
  });
  return resultOf(check, groups, { refuted, omitted: [...unproven, ...untried, ...left] });
}

function resultOf(
  check: Check,
  groups: readonly FindingGroup[],
  { refuted, omitted: all }: Pick<Confirmed, 'refuted' | 'omitted'>,
): CheckResult {
  const found = groups.length > 0;
  const omitted = united(all).map(clipped);
  const kind = found ? 'found' : omitted.some(isGap) ? 'not-run' : 'clean';
  const shown = groups.flatMap(({ fingerprint, places }) =>
    places.flatMap((place) => factsOf(check, place, { fingerprint }).map((fact) => ({ fact, place: place.candidate }))),
  );
  return {
    outcome: { checkId: check.id, kind, reason: clip(omittedText(omitted)), omitted, refuted },
    findings: groups.map((group) => findingOf(check, group)),
    facts: shown.map(({ fact }) => fact),
    // The first one of each fact: a map keeps the last.
    places: new Map(shown.toReversed().map(({ fact, place }) => [fact.id, place])),
  };
}

/** Nothing of the kind was seen; where places were left out, there may be all the same. */
function without(check: Check, reason: string, left: readonly Omitted[]): CheckResult {
  const omitted = united(left).map(clipped);
  const gap = omitted.some(isGap);
  return gap ? ended(check, 'not-run', omittedText(omitted), omitted) : ended(check, 'not-applicable', reason, omitted);
}

/** Reasons travel in workflow histories, and may quote what a hostile host sent. */
const clip = (reason: string): string => (reason.length <= 300 ? reason : `${reason.slice(0, 299)}…`);

const clipped = (omitted: Omitted): Omitted => ({ ...omitted, text: clip(omitted.text) });

/** A check that could not look, or not everywhere. */
export const notLooked = (check: Check, omitted: Omitted): CheckResult =>
  ended(check, 'not-run', omitted.text, [clipped(omitted)]);

const ended = (check: Check, kind: TaskOutcome['kind'], reason: string, omitted: Omitted[] = []): CheckResult => ({
  outcome: { checkId: check.id, kind, reason: clip(reason), omitted, refuted: 0 },
  findings: [],
  facts: [],
  places: new Map(),
});

/** One sentence for the report. A fault of the check itself is named as such. */
function whyNot(error: unknown): Omitted {
  if (error instanceof CheckTimeout) return { code: 'time', count: 1, text: error.message };
  const text = error instanceof Error ? error.message : String(error);
  return omittedBy(error, 1, error instanceof ProbeError ? `${error.code}: ${text}` : `the check failed: ${text}`);
}
