import { allSettled } from '../model/all-settled.ts';
import type { Omitted } from '../model/omission.ts';
import { type Chain, type GoalFact, kindOf, shortestFirst, smallestChains } from './chains.ts';
import type { Replay, Replayed } from './replay.ts';
import { keyOf, type Link, type TreeFact } from './tree.ts';

/** A chain that held when it was replayed. */
export type HeldChain = Chain & { replayed: readonly Replayed[] };

export type Holding = {
  held: HeldChain[];
  /** Kinds that could not be replayed to an end, with the reason. */
  notLooked: { chain: Chain; why: Omitted }[];
  /** Kinds of which no way held: each with a link that was not shown again. */
  notHeld: { chain: Chain; broken: Link }[];
  /** Kinds for which there was no replay left. */
  left: Chain[];
  /** There are further kinds. */
  isCut: boolean;
};

type Replaying = {
  /** Replays a chain; `kindsLeft` counts it and those that wait. */
  attempt(chain: Chain, kindsLeft: number): Promise<Replay>;
  /** Replays at most, those that fail included. */
  maxReplays: number;
  /** Replays beside each other. */
  width: number;
  /** Whether a chain changes the target, so that no other may be replayed beside it. */
  isWriting(chain: Chain): boolean;
};

/**
 * Replays the smallest chain of each kind. When one does not hold, the next smallest is replayed: without what was
 * refuted, there may be another chain of its kind, or a kind that it was a part of.
 */
export async function holdingChains(
  goals: readonly GoalFact[],
  facts: readonly TreeFact[],
  { attempt, maxReplays, width, isWriting }: Replaying,
): Promise<Holding> {
  const book = keepBook(goals, facts);
  let replays = 0;
  const runNext = async (isEligible: (chain: Chain) => boolean) => {
    while (replays < maxReplays) {
      const { open } = book.open();
      const chain = open.find(isEligible);
      if (!chain) return;
      replays += 1;
      book.take(chain);
      book.settle(chain, await attempt(chain, open.length));
    }
  };
  await allSettled(Array.from({ length: width }, () => runNext((chain) => !isWriting(chain))));
  await runNext(() => true);
  const { open: left, isCut } = book.open();
  return { ...book.result(), left, isCut };
}

const noEnd: Omitted = { code: 'check_failed', count: 1, text: 'its replay did not end' };

/** What replays have shown so far, and which chains that leaves to be tried. */
function keepBook(goals: readonly GoalFact[], facts: readonly TreeFact[]) {
  const held: HeldChain[] = [];
  const notLooked: Holding['notLooked'] = [];
  const closed = new Set<string>();
  const refuted = new Set<string>();
  const failures = new Map<string, number>();
  const broken = new Map<string, Holding['notHeld'][number]>();
  const failuresOf = (chain: Chain) => failures.get(kindOf(chain)) ?? 0;
  return {
    open() {
      const known = facts.filter((fact) => !refuted.has(keyOf(fact)));
      const { chains, isCut } = smallestChains(goals, known);
      const open = chains.filter((chain) => !closed.has(kindOf(chain)));
      return { open: open.toSorted((a, b) => failuresOf(a) - failuresOf(b)), isCut };
    },
    take(chain: Chain) {
      closed.add(kindOf(chain));
    },
    settle(chain: Chain, result: Replay) {
      if (result.held) held.push({ ...chain, replayed: result.links });
      else if (!result.broken || result.partly !== undefined) notLooked.push({ chain, why: result.partly ?? noEnd });
      else {
        refuted.add(keyOf(result.broken.fact));
        broken.set(kindOf(chain), { chain, broken: result.broken });
        failures.set(kindOf(chain), failuresOf(chain) + 1);
        closed.delete(kindOf(chain));
      }
    },
    // In an order that does not depend on which replay was the quickest.
    result() {
      const settled = new Set([...held, ...notLooked.map(({ chain }) => chain)].map(kindOf));
      const open = new Set(this.open().open.map(kindOf));
      const notHeld = [...broken].flatMap(([kind, each]) => (settled.has(kind) || open.has(kind) ? [] : [each]));
      return { held: held.toSorted(shortestFirst), notLooked, notHeld };
    },
  };
}
