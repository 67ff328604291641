import { type Confirmed, confirmGroups, type Prover } from '../checks/confirm.ts';
import type { ChainStep, Check, CheckContext } from '../checks/contract.ts';
import { factIdOf, factsOf } from '../checks/facts.ts';
import { fingerprintOf, weaknessOf } from '../checks/fingerprint.ts';
import type { FindingGroup, ProvenCandidate } from '../checks/group.ts';
import { isGap, united } from '../checks/omitted.ts';
import type { Candidate } from '../model/candidate.ts';
import type { Fact } from '../model/fact.ts';
import type { Omitted } from '../model/omission.ts';
import type { GoalFact } from './chains.ts';

/** The kind of fact that says a goal was reached. Only the planner makes it. */
const goalKind = 'goal';

/** The goals that were reached, by their facts. */
export const goalsIn = (facts: readonly Fact[]): GoalFact[] =>
  facts
    .filter(({ kind }) => kind === goalKind)
    .map(({ id, attributes }) => ({ factId: id, goal: attributes.goal ?? '' }));

/**
 * What an action showed: the proven places and the facts that they give, each with the place that showed it; and why it did
 * not look everywhere: the gap that counts, and all that it left out.
 */
export type ActionOutcome = {
  groups: FindingGroup[];
  facts: Fact[];
  places: ReadonlyMap<Fact, ProvenCandidate>;
  partly?: Omitted;
  left: Omitted[];
};

export type ActTools = { context: CheckContext; prove: Prover };

/** Runs a chain step on its facts: detect, confirm, facts. @throws ProbeError, the signal's reason */
export async function actStep(step: ChainStep, bindings: Fact[], tools: ActTools): Promise<ActionOutcome> {
  const { prove } = tools;
  const left: Omitted[] = [];
  const context: CheckContext = { ...tools.context, leave: (omitted) => void left.push(omitted) };
  const candidates = await step.detect(context, bindings);
  const confirm = (candidate: Candidate) => step.confirm(context, candidate, bindings);
  const confirmed = await confirmGroups(step.id, candidates, confirm, { prove, signal: context.signal });
  const parents = bindings.map(({ id }) => id);
  const given = placesOf(confirmed.groups).flatMap(([place]) => givenBy(factsOf(step, place, { parents }), place));
  const [reached] = confirmed.groups;
  if (reached && step.goal !== undefined) {
    const [place] = reached.places;
    given.push([goalFact(step, place.candidate, parents), place]);
  }
  return shownBy({ ...confirmed, omitted: united([...confirmed.omitted, ...left]) }, given);
}

/**
 * Runs a check again for the facts that it gives.
 * @param fingerprint of the one finding that is of interest; all are when it is not given
 * @throws ProbeError, the signal's reason
 */
export async function actCheck(check: Check, tools: ActTools, fingerprint?: string): Promise<ActionOutcome> {
  const detected = await check.detect(tools.context);
  if ('notApplicable' in detected) return shownBy({ groups: [], omitted: [] }, []);
  if ('notRun' in detected) return shownBy({ groups: [], omitted: [detected.notRun] }, []);
  const candidates = Array.isArray(detected) ? detected : detected.candidates;
  const isOfInterest = (candidate: Candidate) =>
    fingerprint === undefined || fingerprintOf(weaknessOf(check), candidate) === fingerprint;
  return actPlaces(check, tools, candidates.filter(isOfInterest));
}

/** The same at places that are known, without looking for any. */
export async function actPlaces(
  check: Check,
  { context, prove }: ActTools,
  places: Candidate[],
): Promise<ActionOutcome> {
  const confirm = (candidate: Candidate) => check.confirm(context, candidate);
  const confirmed = await confirmGroups(weaknessOf(check), places, confirm, { prove, signal: context.signal });
  const given = placesOf(confirmed.groups).flatMap(([place, group]) =>
    givenBy(factsOf(check, place, { fingerprint: group.fingerprint }), place),
  );
  return shownBy(confirmed, given);
}

const placesOf = (groups: readonly FindingGroup[]): [ProvenCandidate, FindingGroup][] =>
  groups.flatMap((group) => group.places.map((place): [ProvenCandidate, FindingGroup] => [place, group]));

const givenBy = (facts: readonly Fact[], place: ProvenCandidate): [Fact, ProvenCandidate][] =>
  facts.map((fact) => [fact, place]);

function shownBy(
  { groups, omitted }: Pick<Confirmed, 'groups' | 'omitted'>,
  given: readonly [Fact, ProvenCandidate][],
): ActionOutcome {
  const partly = omitted.find(isGap);
  return {
    groups,
    facts: given.map(([fact]) => fact),
    places: new Map(given),
    left: omitted,
    ...(partly && { partly }),
  };
}

function goalFact(step: ChainStep, { location }: Candidate, parents: string[]): Fact {
  const input = { kind: goalKind, subject: location.url, attributes: { goal: step.goal ?? '' } };
  return { ...input, id: factIdOf(input), parents, actionId: step.id };
}
