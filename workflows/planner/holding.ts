import { type Chain, type GoalFact, kindOf, smallestChains } from './chains.ts';
import type { Replay, Replayed } from './replay.ts';
import { keyOf, type TreeFact } from './tree.ts';

/** A chain that held when it was replayed. */
export type HeldChain = Chain & { replayed: readonly Replayed[] };

export type Holding = {
  held: HeldChain[];
  /** Kinds that could not be replayed to an end, with the reason. */
  notLooked: { chain: Chain; reason: string }[];
  /** Kinds for which there was no replay left. */
  left: Chain[];
  /** There are further kinds. */
  isCut: boolean;
};

/**
 * Replays the smallest chain of each kind. One that does not hold makes room for the next smallest: without what was
 * refuted, there may be another chain of its kind, or a kind that it was a part of.
 * @param attempt replays a chain; `kindsLeft` counts it and those that wait
 * @param maxReplays replays at most, those that fail included
 */
export async function holdingChains(
  goals: readonly GoalFact[],
  facts: readonly TreeFact[],
  attempt: (chain: Chain, kindsLeft: number) => Promise<Replay>,
  maxReplays: number,
): Promise<Holding> {
  const held: HeldChain[] = [];
  const notLooked: Holding['notLooked'] = [];
  const settled = new Set<string>();
  const refuted = new Set<string>();
  const failures = new Map<string, number>();
  const failuresOf = (chain: Chain) => failures.get(kindOf(chain)) ?? 0;
  for (let replays = 0; ; replays += 1) {
    const { chains, isCut } = smallestChains(
      goals,
      facts.filter((fact) => !refuted.has(keyOf(fact))),
    );
    const open = chains
      .filter((chain) => !settled.has(kindOf(chain)))
      .toSorted((a, b) => failuresOf(a) - failuresOf(b));
    const [chain] = open;
    if (!chain || replays === maxReplays) return { held, notLooked, left: open, isCut };
    const result = await attempt(chain, open.length);
    if (!result.held && result.broken && result.partly === undefined) {
      refuted.add(keyOf(result.broken.fact));
      failures.set(kindOf(chain), failuresOf(chain) + 1);
      continue;
    }
    settled.add(kindOf(chain));
    if (result.held) held.push({ ...chain, replayed: result.links });
    else notLooked.push({ chain, reason: result.partly ?? 'its replay did not end' });
  }
}
