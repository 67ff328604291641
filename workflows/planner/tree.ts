/** Chains as trees of facts: what a goal stands on, down to what needs nothing. Pure. */

export type TreeFact = { id: string; kind: string; subject: string; parents: readonly string[]; actionId: string };

/** One action of a chain with the facts that it took and the one that it gave. */
export type Link = { actionId: string; fact: TreeFact; needs: string[] };

export type GoalFact = { factId: string; goal: string };

/** A chain is more than its weaknesses: below this it is one finding that stands on its own. */
const minWeaknesses = 2;

/**
 * The links that lead to a fact, in an order in which each one's needs come before it.
 * @returns undefined when the facts do not hold together
 */
export function linksTo(factId: string, facts: readonly TreeFact[]): Link[] | undefined {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const links = new Map<string, Link>();
  const open = new Set<string>();
  const visit = (id: string): boolean => {
    if (links.has(id)) return true;
    const fact = byId.get(id);
    if (fact === undefined || open.has(id)) return false;
    open.add(id);
    if (!fact.parents.every(visit)) return false;
    open.delete(id);
    links.set(id, { actionId: fact.actionId, fact, needs: [...fact.parents] });
    return true;
  };
  return visit(factId) ? [...links.values()] : undefined;
}

/** The smallest chain to each goal, goals in order of name; those of a single weakness are left out. */
export function smallestChains(
  goals: readonly GoalFact[],
  facts: readonly TreeFact[],
): { goal: string; links: Link[] }[] {
  const best = new Map<string, Link[]>();
  for (const { goal, factId } of goals) {
    const links = linksTo(factId, facts);
    if (links === undefined || weaknessesOf(links) < minWeaknesses) continue;
    const known = best.get(goal);
    if (known === undefined || isSmaller(links, known)) best.set(goal, links);
  }
  return [...best].map(([goal, links]) => ({ goal, links })).sort((a, b) => (a.goal < b.goal ? -1 : 1));
}

/** Different weaknesses: the same action twice is one. */
export const weaknessesOf = (links: readonly Link[]): number => new Set(links.map(({ actionId }) => actionId)).size;

function isSmaller(a: readonly Link[], b: readonly Link[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const name = (links: readonly Link[]) => links.map(({ fact }) => fact.id).join(' ');
  return name(a) < name(b);
}

/**
 * The link to fix: the one on which most chains stand, of those the first in order of use, because what comes
 * before it cannot be reached at all then.
 */
export function breakingLink(links: readonly Link[], chains: readonly { links: readonly Link[] }[]): string {
  const countOf = (actionId: string) =>
    chains.filter((chain) => chain.links.some((link) => link.actionId === actionId)).length;
  const ranked = links.toSorted((a, b) => countOf(b.actionId) - countOf(a.actionId));
  return ranked[0]?.actionId ?? '';
}
