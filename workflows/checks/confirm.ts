import type { Candidate } from '../model/candidate.ts';
import type { Experiment } from '../model/experiment.ts';
import type { Omitted } from '../model/omission.ts';
import { isFinal, ProbeError } from '../model/probe-error.ts';
import { counted, wasOrWere } from '../model/words.ts';
import type { ProofVerdict } from '../proof/prove.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { FindingGroup } from './group.ts';
import { omittedBy, united } from './omitted.ts';
import { gathered, isEverywhere, maxPlaces, parameterOf } from './same-everywhere.ts';

/** Runs an experiment. @throws ProbeError when it could not be run to an end */
export type Prover = (experiment: Experiment, signal: AbortSignal) => Promise<ProofVerdict>;

export type Confirmed = {
  groups: FindingGroup[];
  refuted: number;
  /** Candidates that were not tried, by why. */
  omitted: Omitted[];
};

/** What was proven, by fingerprint. */
export type ProvenGroups = Map<string, FindingGroup>;

/** Candidates of one check that are tried; a page with thousands of links must not become thousands of proofs. */
const maxCandidates = 200;
/** Those whose experiment got no answer in time are tried once more, up to this many: a busy machine may be why. */
const maxAgain = 3;

/** Makes the experiment of a candidate, or refutes it without one. */
type Confirm = (candidate: Candidate) => Promise<Experiment | undefined> | Experiment | undefined;

/**
 * Proves candidates, those of one fingerprint together: they are the same weakness seen in several places.
 * A candidate that could not be looked at does not keep the others from it.
 * @param groups is filled while they are proven: what is in it holds, however this ends
 * @throws the signal's reason when it is aborted
 */
export async function confirmGroups(
  weakness: string,
  candidates: readonly Candidate[],
  confirm: Confirm,
  { prove, signal, groups = new Map() }: { prove: Prover; signal: AbortSignal; groups?: ProvenGroups },
): Promise<Confirmed> {
  const untried = new Map<string, number>();
  const omitted: Omitted[] = [];
  let refuted = 0;
  let alike = 0;
  const tried = candidates.slice(0, maxCandidates);
  const again = new Set<Candidate>();
  const queue = [...tried];
  for (let candidate = queue.shift(); candidate !== undefined; candidate = queue.shift()) {
    const fingerprint = fingerprintOf(weakness, candidate);
    const group = groups.get(fingerprint);
    if (group && group.places.length >= maxPlaces(candidate)) {
      alike += 1;
      continue;
    }
    const parameter = parameterOf(candidate);
    if (parameter !== undefined && isEverywhere(parameter, [...groups.values()])) {
      untried.set(parameter, (untried.get(parameter) ?? 0) + 1);
      continue;
    }
    signal.throwIfAborted();
    try {
      const experiment = await confirm(candidate);
      const verdict = experiment === undefined ? undefined : await prove(experiment, signal);
      if (!verdict?.proven) refuted += 1;
      else if (group) group.places.push({ candidate, ...verdict });
      else groups.set(fingerprint, { fingerprint, places: [{ candidate, ...verdict }] });
    } catch (error) {
      signal.throwIfAborted();
      if (isLate(error) && !again.has(candidate) && again.size < maxAgain) {
        again.add(candidate);
        queue.push(candidate);
        continue;
      }
      const rest = endsProofs(error) ? queue.length + 1 : 1;
      omitted.push(omittedBy(error, rest, reasonOf(error, candidate)));
      if (endsProofs(error)) break;
    }
  }
  alike += [...untried.values()].reduce((sum, count) => sum + count, 0);
  const spokenFor = `${counted(alike, 'place')} ${wasOrWere(alike)} not tried one by one: the weakness was proven at others of the same route or parameter`;
  if (alike > 0) omitted.push({ code: 'alike', count: alike, text: spokenFor });
  const left = candidates.length - tried.length;
  const beyond = `${left} of ${candidates.length} places ${wasOrWere(left)} left out: a check tries ${maxCandidates} at most`;
  if (left > 0) omitted.push({ code: 'too_many', count: left, text: beyond });
  return { groups: gathered(weakness, [...groups.values()]), refuted, omitted: united(omitted) };
}

const reasonOf = (error: unknown, { location }: Candidate): string =>
  `${error instanceof ProbeError ? error.code : 'failed'} at ${location.url}: ${error instanceof Error ? error.message : String(error)}`;

const isLate = (error: unknown): boolean => error instanceof ProbeError && error.code === 'timeout';

/** No further candidate would fare better. */
const endsProofs = (error: unknown): boolean =>
  isFinal(error) || (error instanceof ProbeError && (error.code === 'unavailable' || error.code === 'turned_off'));
