/**
 * The planner: forward chaining over proven facts. A pure module: the same facts and state give the same plan.
 * Semi-naive evaluation: only bindings with at least one new fact are joined, so each (action, binding) comes up once.
 */

export type PlanFact = { id: string; kind: string; attributes: Record<string, string>; parents: readonly string[] };

export type PlanAction = {
  id: string;
  needs: readonly { kind: string; where?: Record<string, string> }[];
  gives: readonly string[];
  /** Kind of fact or name of a goal that a chain ends with; undefined for a step on the way. */
  goal?: string;
  cost: number;
};

/** An action with one fact for each of its needs, in their order. */
export type Binding = { actionId: string; factIds: string[] };

/** What a plan goes on from. */
export type PlanState = {
  /** Facts whose bindings have all been made. */
  seen: string[];
  /** Bindings that were made and not yet given out. */
  waiting: Binding[];
  /** How many were given out for each action. */
  given: Record<string, number>;
};

export type PlanLimits = {
  /** Bindings of one plan. */
  maxSteps: number;
  /** Bindings of one action in the whole run: a hundred orders are not a hundred chains. */
  maxPerAction: number;
  /** Facts between a fact and the surface, itself included, that actions may still build on. */
  maxDepth: number;
};

export const defaultLimits: PlanLimits = { maxSteps: 20, maxPerAction: 8, maxDepth: 8 };

export const emptyState: PlanState = { seen: [], waiting: [], given: {} };

/** @returns the bindings to run now, those on the cheapest way to a goal first, and the state for the next plan */
export function plan(
  actions: readonly PlanAction[],
  facts: readonly PlanFact[],
  state: PlanState,
  limits: PlanLimits = defaultLimits,
): { steps: Binding[]; state: PlanState } {
  const depth = depthsOf(facts);
  const usable = facts.filter(({ id }) => (depth.get(id) ?? 0) <= limits.maxDepth);
  const known = new Set(state.seen);
  const old = usable.filter(({ id }) => known.has(id));
  const fresh = usable.filter(({ id }) => !known.has(id));
  const woken = actions.flatMap((action) => bind(action, old, fresh));
  const rank = rankOf(actions);
  const queue = [...state.waiting, ...woken].toSorted(
    (a, b) => rank(a.actionId) - rank(b.actionId) || compare(keyOf(a), keyOf(b)),
  );
  const given = { ...state.given };
  const steps: Binding[] = [];
  const waiting: Binding[] = [];
  for (const binding of queue) {
    const count = given[binding.actionId] ?? 0;
    if (count >= limits.maxPerAction) continue;
    if (steps.length === limits.maxSteps) {
      waiting.push(binding);
      continue;
    }
    given[binding.actionId] = count + 1;
    steps.push(binding);
  }
  return { steps, state: { seen: usable.map(({ id }) => id), waiting, given } };
}

/** One word for an action with its facts. */
export const keyOf = ({ actionId, factIds }: Binding): string => [actionId, ...factIds].join(' ');

/** Every way to fill the needs with facts of which at least one is fresh. */
function bind(action: PlanAction, old: readonly PlanFact[], fresh: readonly PlanFact[]): Binding[] {
  const bindings: Binding[] = [];
  // The first fresh fact stands at `pivot`: before it only old ones, after it any. So no binding is made twice.
  for (let pivot = 0; pivot < action.needs.length; pivot += 1) {
    const choices = action.needs.map((need, index) => {
      const from = index < pivot ? old : index === pivot ? fresh : [...old, ...fresh];
      return from.filter((fact) => fills(need, fact)).map(({ id }) => id);
    });
    for (const factIds of product(choices))
      if (new Set(factIds).size === factIds.length) bindings.push({ actionId: action.id, factIds });
  }
  return bindings;
}

export function fills(need: PlanAction['needs'][number], fact: Pick<PlanFact, 'kind' | 'attributes'>): boolean {
  const where = Object.entries(need.where ?? {});
  return fact.kind === need.kind && where.every(([name, value]) => fact.attributes[name] === value);
}

function product(choices: readonly string[][]): string[][] {
  return choices.reduce<string[][]>((rows, ids) => rows.flatMap((row) => ids.map((id) => [...row, id])), [[]]);
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

/** How many facts stand on each other up to this one. */
function depthsOf(facts: readonly PlanFact[]): Map<string, number> {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const depths = new Map<string, number>();
  const depthOf = (id: string, above: ReadonlySet<string>): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    const parents = byId.get(id)?.parents ?? [];
    // A fact that stands on itself is no proof of anything.
    if (above.has(id)) return Number.POSITIVE_INFINITY;
    const path = new Set([...above, id]);
    const depth = 1 + Math.max(0, ...parents.map((parent) => depthOf(parent, path)));
    depths.set(id, depth);
    return depth;
  };
  for (const { id } of facts) depthOf(id, new Set());
  return depths;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
