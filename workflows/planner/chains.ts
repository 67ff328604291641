import { type Link, type TreeFact, waysIn } from './tree.ts';

/** The smallest chain of its kind, which is a goal with a set of actions: other facts of the same actions are no other kind. */
export type Chain = {
  goal: string;
  /** Each one's needs come before it; the last one reaches the goal. */
  links: Link[];
};

export type GoalFact = { factId: string; goal: string };

/** A chain is more than its weaknesses: below this it is one finding that stands on its own. */
const minWeaknesses = 2;

/**
 * The smallest chain of each kind, the shortest first. A set of actions that holds that of another chain to the same
 * goal is no kind of its own.
 * @returns `isCut` says that there are further kinds
 */
export function smallestChains(
  goals: readonly GoalFact[],
  facts: readonly TreeFact[],
): { chains: Chain[]; isCut: boolean } {
  const ways = waysIn(facts);
  const chains = [...Map.groupBy(goals, ({ goal }) => goal)].flatMap(([goal, reached]) =>
    ways.to(reached.map(({ factId }) => factId)).map((links) => ({ goal, links })),
  );
  const several = chains.filter((chain) => actionsOf(chain).length >= minWeaknesses);
  return { chains: several.toSorted(shortestFirst), isCut: ways.isCut };
}

/** The order in which chains are tried and reported. */
export const shortestFirst = (a: Chain, b: Chain): number =>
  a.links.length - b.links.length || (kindOf(a) < kindOf(b) ? -1 : 1);

/** One word for the kind of a chain, the same in every scan. */
export const kindOf = (chain: Chain): string => [chain.goal, ...actionsOf(chain)].join(' ');

/** Its different weaknesses, in order of name: the same action twice is one. */
const actionsOf = ({ links }: Chain): string[] => [...new Set(links.map(({ actionId }) => actionId))].sort();

/**
 * The one link of each chain to fix first. The action on which most chains stand breaks all of these; of the others again
 * the one on which most stand, until none is left. Of equal ones the first in order of use, because what comes before
 * it cannot be reached at all then.
 */
export function breakingLinks<C extends Pick<Chain, 'links'>>(chains: readonly C[]): Map<C, string> {
  const breaking = new Map<C, string>();
  let left = [...chains];
  for (let fix = mostShared(left); fix !== undefined; fix = mostShared(left)) {
    for (const chain of left) if (positionOf(fix, chain) >= 0) breaking.set(chain, fix);
    left = left.filter((chain) => !breaking.has(chain));
  }
  return breaking;
}

/** @returns undefined when there is no link */
function mostShared(chains: readonly Pick<Chain, 'links'>[]): string | undefined {
  const actionIds = new Set(chains.flatMap(({ links }) => links.map(({ actionId }) => actionId)));
  const candidates = [...actionIds].map((actionId) => {
    const positions = chains.map((chain) => positionOf(actionId, chain)).filter((position) => position >= 0);
    return { actionId, count: positions.length, position: Math.min(...positions) };
  });
  const [best] = candidates.toSorted(
    (a, b) => b.count - a.count || a.position - b.position || (a.actionId < b.actionId ? -1 : 1),
  );
  return best?.actionId;
}

const positionOf = (actionId: string, { links }: Pick<Chain, 'links'>): number =>
  links.findIndex((link) => link.actionId === actionId);
