import type { Fact, FactInput } from '../model/fact.ts';
import type { ChainStep, Check } from './contract.ts';
import { digest } from './fingerprint.ts';
import type { ProvenCandidate } from './group.ts';

/** The same fact has the same id, whoever shows it and however often. */
export function factIdOf({ kind, subject, attributes }: FactInput): string {
  return digest([kind, subject, Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The facts that a proven place of an action gives. */
export function factsOf(
  action: Check | ChainStep,
  proven: ProvenCandidate,
  from: { parents?: readonly string[]; fingerprint?: string },
): Fact[] {
  const inputs = action.gives?.facts(proven.candidate, proven.captured) ?? [];
  return inputs.map((input) => ({
    ...input,
    id: factIdOf(input),
    parents: [...(from.parents ?? [])],
    actionId: action.id,
    ...(from.fingerprint === undefined ? {} : { fingerprint: from.fingerprint }),
  }));
}
