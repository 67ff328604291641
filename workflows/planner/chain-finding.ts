import type { ChainStep, Check } from '../checks/contract.ts';
import { type FindingInit, findingOf, locationOf } from '../checks/finding.ts';
import type { Registry } from '../checks/registry.ts';
import type { Replayed } from './replay.ts';

/** Steps of a chain's proof that are kept: those of each link, which a reader goes through in order. */
const maxSteps = 40;

/**
 * The finding of a chain that was replayed: that of its last step, with the links and their proofs in order of use.
 * @param breakingActionId the link that is to be fixed
 */
export function chainFindingOf(
  goal: ChainStep,
  links: readonly Replayed[],
  registry: Registry,
  breakingActionId: string,
): FindingInit | undefined {
  const last = links.at(-1)?.shown.groups[0];
  if (!last) return undefined;
  const base = findingOf(goal, last);
  const actionOf = (id: string): Check | ChainStep | undefined => registry.check(id) ?? registry.step(id);
  const breaking = actionOf(breakingActionId);
  const proofs = links.flatMap(({ shown }) => shown.groups.slice(0, 1).map(({ places }) => places[0].proof));
  return {
    ...base,
    category: 'chains',
    locations: links.flatMap(({ shown }) =>
      shown.groups.slice(0, 1).map(({ places }) => locationOf(places[0].candidate)),
    ),
    ...(breaking && {
      remediation: `Fix this first, it breaks the chain: ${breaking.title}. ${breaking.explain.remedy}`,
    }),
    proof: { ...last.places[0].proof, steps: proofs.flatMap(({ steps = [] }) => steps).slice(-maxSteps) },
    chain: links.map(({ link, fact }, index) => ({
      actionId: link.actionId,
      title: actionOf(link.actionId)?.title ?? link.actionId,
      gives: index === links.length - 1 ? (goal.goal ?? fact.kind) : fact.kind,
      ...(fact.fingerprint === undefined ? {} : { fingerprint: fact.fingerprint }),
      breaksChain: link.actionId === breakingActionId,
    })),
  };
}
