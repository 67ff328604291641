import type { ChainStep } from '../checks/contract.ts';
import type { Binding, PlanState } from '../model/plan-state.ts';

/** One way in which a fact was shown: a fact that was shown in two ways stands twice. */
export type PlanFact = {
  id: string;
  kind: string;
  attributes: Record<string, string>;
  parents: readonly string[];
  actionId: string;
};

export type PlanAction = {
  id: string;
  needs: readonly { kind: string; where?: Record<string, string> }[];
  gives: readonly string[];
  /** Kind of fact or name of a goal that a chain ends with; undefined for a step on the way. */
  goal?: string;
  cost: number;
};

/** What the planner has to know of a step. */
export const planActionOf = ({ id, needs, gives, goal, cost }: ChainStep): PlanAction => ({
  id,
  needs,
  gives: gives?.kinds ?? [],
  cost,
  ...(goal === undefined ? {} : { goal }),
});

/** What a limit kept from being tried. */
export type LeftOut = {
  /** Bindings of actions that none of the tried ones succeeded for. */
  bindings: { actionId: string; tried: number; count: number }[];
  /** Facts that stand on too many others to be built on. */
  deepFacts: number;
};

type PlanLimits = {
  /** Bindings of one plan. */
  maxSteps: number;
  /**
   * Bindings of one way in the whole run, which is an action with the actions that gave its facts: a hundred orders are
   * not a hundred chains, and a repository full of keys does not keep the one in a file of settings from being tried.
   */
  maxPerWay: number;
  /** Facts between a fact and the surface, itself included, that actions may still build on. */
  maxDepth: number;
};

export const defaultLimits: PlanLimits = { maxSteps: 20, maxPerWay: 8, maxDepth: 8 };

export const emptyState: PlanState = { seen: [], waiting: [], given: {}, dropped: {} };

/** @returns the bindings to run now, those on the cheapest way to a goal first, and the state for the next plan */
export function plan(
  actions: readonly PlanAction[],
  facts: readonly PlanFact[],
  state: PlanState,
  limits: PlanLimits = defaultLimits,
): { steps: Binding[]; state: PlanState; leftOut: LeftOut } {
  const depth = depthsOf(facts);
  const distinct = firstOfEach(facts);
  const usable = distinct.filter(({ id }) => (depth.get(id) ?? Number.POSITIVE_INFINITY) <= limits.maxDepth);
  const known = new Set(state.seen);
  const old = usable.filter(({ id }) => known.has(id));
  const fresh = usable.filter(({ id }) => !known.has(id));
  const wayOf = waysOf(distinct);
  const dropped = { ...state.dropped };
  const woken = actions.flatMap((action) => {
    const bound = bind(action, old, fresh, (factIds) => wayOf(action.id, factIds), limits.maxPerWay);
    for (const [way, count] of bound.surplus) drop(dropped, way, action.id, count);
    return bound.bindings;
  });
  const rank = rankOf(actions);
  const queue = [...state.waiting, ...woken].toSorted(
    (a, b) => rank(a.actionId) - rank(b.actionId) || compare(keyOf(a), keyOf(b)),
  );
  const { steps, ...next } = handOut(queue, { ...state, dropped }, limits, wayOf);
  const shown = new Set(facts.map(({ actionId, parents }) => wayOf(actionId, parents)));
  const bindings = Object.entries(next.dropped).flatMap(([way, { actionId, count }]) =>
    shown.has(way) ? [] : [{ actionId, tried: next.given[way] ?? 0, count }],
  );
  const isWanted = (fact: PlanFact) => actions.some(({ needs }) => needs.some((need) => fills(need, fact)));
  const deepFacts = distinct.filter((fact) => (depth.get(fact.id) ?? 0) > limits.maxDepth && isWanted(fact)).length;
  return { steps, state: { seen: usable.map(({ id }) => id), ...next }, leftOut: { bindings, deepFacts } };
}

type WayOf = (actionId: string, factIds: readonly string[]) => string;

/** Takes from the queue what the limits allow. */
function handOut(queue: readonly Binding[], state: PlanState, limits: PlanLimits, wayOf: WayOf) {
  const given = { ...state.given };
  const dropped = { ...state.dropped };
  const steps: Binding[] = [];
  const waiting: Binding[] = [];
  for (const binding of queue) {
    const { actionId, factIds } = binding;
    const way = wayOf(actionId, factIds);
    const before = given[way] ?? 0;
    if (before >= limits.maxPerWay) {
      drop(dropped, way, actionId, 1);
    } else if (steps.length === limits.maxSteps) {
      waiting.push(binding);
    } else {
      given[way] = before + 1;
      steps.push(binding);
    }
  }
  return { steps, waiting, given, dropped };
}

function drop(dropped: PlanState['dropped'], way: string, actionId: string, count: number): void {
  dropped[way] = { actionId, count: (dropped[way]?.count ?? 0) + count };
}

/** The first way in which each fact was shown. */
const firstOfEach = (facts: readonly PlanFact[]): PlanFact[] =>
  [...Map.groupBy(facts, ({ id }) => id).values()].flatMap(([first]) => first ?? []);

/** One word for an action with the actions that gave its facts. */
function waysOf(facts: readonly PlanFact[]): WayOf {
  const giver = new Map(facts.map(({ id, actionId }) => [id, actionId]));
  return (actionId, factIds) => [actionId, ...factIds.map((id) => giver.get(id) ?? '')].join(' ');
}

/** One word for an action with its facts. */
export const keyOf = ({ actionId, factIds }: Binding): string => [actionId, ...factIds].join(' ');

/**
 * The ways to fill the needs with facts of which at least one is fresh. Of each way the first `maxPerWay` by their key; the
 * others are only counted: a thousand facts for each of two needs make a million bindings.
 */
function bind(
  action: PlanAction,
  old: readonly PlanFact[],
  fresh: readonly PlanFact[],
  wayOf: (factIds: readonly string[]) => string,
  maxPerWay: number,
): { bindings: Binding[]; surplus: Map<string, number> } {
  const bindings: Binding[] = [];
  const surplus = new Map<string, number>();
  // The first fresh fact stands at `pivot`: before it only old ones, after it any. So no binding is made twice.
  for (let pivot = 0; pivot < action.needs.length; pivot += 1) {
    const counts = new Map<string, number>();
    const choices = action.needs.map((need, index) => {
      const from = index < pivot ? old : index === pivot ? fresh : [...old, ...fresh];
      return from
        .filter((fact) => fills(need, fact))
        .map(({ id }) => id)
        .sort(compare);
    });
    for (const factIds of product(choices)) {
      if (factIds.some((id, index) => factIds.indexOf(id) < index)) continue;
      const way = wayOf(factIds);
      const count = (counts.get(way) ?? 0) + 1;
      counts.set(way, count);
      if (count <= maxPerWay) bindings.push({ actionId: action.id, factIds });
      else surplus.set(way, (surplus.get(way) ?? 0) + 1);
    }
  }
  return { bindings, surplus };
}

export function fills(need: PlanAction['needs'][number], fact: Pick<PlanFact, 'kind' | 'attributes'>): boolean {
  const where = Object.entries(need.where ?? {});
  return fact.kind === need.kind && where.every(([name, value]) => fact.attributes[name] === value);
}

/** One of each list, in every combination, the first lists changing last. */
function* product(choices: readonly string[][]): Generator<string[]> {
  const others = choices.slice(0, -1);
  const last = choices.at(-1);
  if (!last) yield [];
  else for (const begin of product(others)) for (const id of last) yield [...begin, id];
}

/**
 * How dear it is to reach a goal through an action: its own cost and that of the cheapest actions after it.
 * Actions that lead to no goal come last. Relaxed as often as there are actions: the longest way has no more.
 */
function rankOf(actions: readonly PlanAction[]): (actionId: string) => number {
  const rank = new Map(actions.map(({ id, goal, cost }) => [id, goal === undefined ? Number.POSITIVE_INFINITY : cost]));
  for (const _round of actions) {
    for (const { id, gives, cost } of actions) {
      const next = actions.filter(({ needs }) => needs.some(({ kind }) => gives.includes(kind)));
      const onward = Math.min(...next.map((action) => rank.get(action.id) ?? Number.POSITIVE_INFINITY));
      rank.set(id, Math.min(rank.get(id) ?? Number.POSITIVE_INFINITY, cost + onward));
    }
  }
  return (actionId) => Math.min(rank.get(actionId) ?? Number.MAX_VALUE, Number.MAX_VALUE);
}

/** How many facts stand on each other up to a fact, by its shortest way. One that only stands on itself has none. */
function depthsOf(facts: readonly PlanFact[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const { id, parents } of facts) {
      const depth = 1 + Math.max(0, ...parents.map((parent) => depths.get(parent) ?? Number.POSITIVE_INFINITY));
      if (depth >= (depths.get(id) ?? Number.POSITIVE_INFINITY)) continue;
      depths.set(id, depth);
      isSettled = false;
    }
  }
  return depths;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
