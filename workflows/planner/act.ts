import { confirmGroups, type Group, type Prover } from '../checks/confirm.ts';
import type { Candidate, ChainStep, Check, CheckContext, Fact } from '../checks/contract.ts';
import { factIdOf, factsOf } from '../checks/facts.ts';

/** The kind of fact that says a goal was reached. Only the planner makes it. */
export const goalKind = 'goal';

/** What an action showed: the proven places and the facts that they give. */
export type Shown = { groups: Group[]; facts: Fact[]; partly?: string };

export type ActScene = { context: CheckContext; prove: Prover };

/** Runs a chain step on its facts: detect, confirm, facts. @throws ProbeError, the signal's reason */
export async function actStep(step: ChainStep, bindings: Fact[], scene: ActScene): Promise<Shown> {
  const { context, prove } = scene;
  const candidates = await step.detect(context, bindings);
  const confirm = (candidate: Candidate) => step.confirm(context, candidate, bindings);
  const confirmed = await confirmGroups(step.id, candidates, confirm, { prove, signal: context.signal });
  const parents = bindings.map(({ id }) => id);
  const facts = confirmed.groups.flatMap(({ places }) => places.flatMap((place) => factsOf(step, place, { parents })));
  const [reached] = confirmed.groups;
  if (reached && step.goal !== undefined) facts.push(goalFact(step, reached.places[0].candidate, parents));
  return { ...confirmed, facts };
}

/** Runs a check again for the facts that it gives. @throws ProbeError, the signal's reason */
export async function actCheck(check: Check, scene: ActScene): Promise<Shown> {
  const { context, prove } = scene;
  const detected = await check.detect(context);
  if (!Array.isArray(detected)) return { groups: [], facts: [] };
  const confirm = (candidate: Candidate) => check.confirm(context, candidate);
  const confirmed = await confirmGroups(check.id, detected, confirm, { prove, signal: context.signal });
  const facts = confirmed.groups.flatMap(({ fingerprint, places }) =>
    places.flatMap((place) => factsOf(check, place, { fingerprint })),
  );
  return { ...confirmed, facts };
}

function goalFact(step: ChainStep, { location }: Candidate, parents: string[]): Fact {
  const input = { kind: goalKind, subject: location.url, attributes: { goal: step.goal ?? '' } };
  return { ...input, id: factIdOf(input), parents, actionId: step.id };
}
