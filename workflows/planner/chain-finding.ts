import { type FindingInit, findingOf, locationOf } from '../checks/finding.ts';
import { digest } from '../checks/fingerprint.ts';
import type { Registry } from '../checks/registry.ts';
import { kindOf } from './chains.ts';
import type { HeldChain } from './holding.ts';

/**
 * The finding of a chain: that of its last step, with the links in order of use, each with the proof of its replay. It is
 * known by its kind: whichever page or key the way used in one scan, it is the same finding in the next.
 * @param breakingActionId the link to fix first
 * @returns undefined when a link's action is not in the registry
 */
export function chainFindingOf(
  chain: HeldChain,
  registry: Registry,
  breakingActionId: string,
): FindingInit | undefined {
  const actionOf = (id: string) => registry.check(id) ?? registry.step(id);
  const links = chain.replayed.flatMap(({ link, fact, place }) => {
    const action = actionOf(link.actionId);
    return action ? [{ action, fact, place }] : [];
  });
  const [first, last] = [links[0], links.at(-1)];
  const breaking = actionOf(breakingActionId);
  if (!first || !last || !breaking || links.length < chain.links.length) return undefined;
  return {
    ...findingOf(last.action, { fingerprint: digest(['chain', kindOf(chain)]), places: [last.place] }),
    // Several ways lead to one goal: their first steps distinguish them.
    title: `${last.action.title}, starting from: ${first.action.title}`,
    category: 'chains',
    locations: [last, ...links].map(({ place }) => locationOf(place.candidate)),
    remediation: `Fix this first, it breaks the chain: ${breaking.title}. ${breaking.explain.remedy}`,
    chain: links.map(({ action, fact, place }) => ({
      actionId: action.id,
      title: action.title,
      gives: action === last.action && fact === last.fact ? chain.goal : fact.kind,
      ...(fact.fingerprint === undefined ? {} : { fingerprint: fact.fingerprint }),
      breaksChain: action === breaking,
      location: locationOf(place.candidate),
      proof: place.proof,
      remediation: action.explain.remedy,
    })),
  };
}
