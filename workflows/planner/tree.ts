/**
 * Chains as trees of facts: what a goal stands on, down to what needs nothing. Pure.
 *
 * A fact may have been shown in several ways, so facts and actions make a graph of alternatives, in which a goal has many
 * trees. Of these only the kinds count: the sets of actions of which none can be left out. They are worked out upwards
 * from what needs nothing; what is no smallest set for a fact is part of none for what stands on it.
 */

/** One way in which a fact was shown: a fact that was shown in two ways stands twice. */
export type TreeFact = {
  id: string;
  kind: string;
  subject: string;
  parents: readonly string[];
  actionId: string;
  /** Of the finding whose proof shows it, if one does. */
  fingerprint?: string;
};

/** One action of a chain with the facts that it took and the one that it gave. */
export type Link = { actionId: string; fact: TreeFact; needs: string[] };

type Ways = {
  /** The smallest way of each kind to one of these facts, that of the fewest actions first. */
  to(factIds: readonly string[]): Link[][];
  /** There are more kinds of ways to a fact than are kept. */
  isCut: boolean;
};

/** Facts in an order in which each one's parents come before it. */
type FactTree = { facts: readonly TreeFact[]; actions: ReadonlySet<string>; name: string };

/** Kinds of ways to one fact that are kept. */
const maxKinds = 16;

/** Works out in which ways each fact can be reached; the order of `facts` makes no difference. */
export function waysIn(facts: readonly TreeFact[]): Ways {
  const byId = Map.groupBy(facts.toSorted(byKey), ({ id }) => id);
  let trees = new Map<string, FactTree[]>();
  let isCut = false;
  // Each round knows trees of one level more; no tree has more levels than there are facts.
  for (let round = 0; round < byId.size; round += 1) {
    const grown = new Map<string, FactTree[]>();
    for (const [id, rows] of byId) {
      const least = leastOf(rows.flatMap((row) => treesOf(row, trees)));
      isCut ||= least.length > maxKinds;
      grown.set(id, least.slice(0, maxKinds));
    }
    const isSettled = nameOf(grown) === nameOf(trees);
    trees = grown;
    if (isSettled) break;
  }
  return {
    to: (factIds) => leastOf(factIds.flatMap((id) => trees.get(id) ?? [])).map(linksOf),
    isCut,
  };
}

/** The trees of a fact in one of its ways, over all trees of its parents. */
function treesOf(fact: TreeFact, known: ReadonlyMap<string, FactTree[]>): FactTree[] {
  const choices = fact.parents.map((parent) => known.get(parent) ?? []);
  const picks = choices.reduce<FactTree[][]>(
    (rows, trees) => rows.flatMap((row) => trees.map((tree) => [...row, tree])),
    [[]],
  );
  return picks.flatMap((below) => grow(fact, below) ?? []);
}

/** Puts a fact on the trees of its parents; undefined when it stood on itself then. */
function grow(fact: TreeFact, below: readonly FactTree[]): FactTree | undefined {
  const chosen = new Map<string, TreeFact>();
  // A fact that two trees reach differently is reached as in the first one, which is complete.
  for (const { facts } of below) for (const each of facts) if (!chosen.has(each.id)) chosen.set(each.id, each);
  if (chosen.has(fact.id)) return undefined;
  const ordered = new Set<TreeFact>();
  const visit = (each: TreeFact): void => {
    if (ordered.has(each)) return;
    for (const parent of each.parents) {
      const next = chosen.get(parent);
      if (next) visit(next);
    }
    ordered.add(each);
  };
  visit(fact);
  const facts = [...ordered];
  return { facts, actions: new Set(facts.map(({ actionId }) => actionId)), name: facts.map(keyOf).join(' ') };
}

/** The smallest tree of each set of actions that holds no other set. */
function leastOf(trees: readonly FactTree[]): FactTree[] {
  const smallestFirst = trees.toSorted(
    (a, b) => a.actions.size - b.actions.size || a.facts.length - b.facts.length || compare(a.name, b.name),
  );
  const least: FactTree[] = [];
  for (const tree of smallestFirst)
    if (!least.some(({ actions }) => [...actions].every((id) => tree.actions.has(id)))) least.push(tree);
  return least;
}

const linksOf = ({ facts }: FactTree): Link[] =>
  facts.map((fact) => ({ actionId: fact.actionId, fact, needs: [...fact.parents] }));

const nameOf = (trees: ReadonlyMap<string, FactTree[]>): string =>
  JSON.stringify([...trees.values()].map((list) => list.map(({ name }) => name)));

/** One word for a way in which a fact was shown. */
export const keyOf = ({ id, actionId, parents }: TreeFact): string => JSON.stringify([id, actionId, parents]);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byKey = (a: TreeFact, b: TreeFact): number => compare(keyOf(a), keyOf(b));
