/** An action with one fact for each of its needs, in their order. */
export type Binding = { actionId: string; factIds: string[] };

/** What a plan goes on from. */
export type PlanState = {
  /** Facts whose bindings have all been made. */
  seen: string[];
  /** Bindings that were made and not yet given out. */
  waiting: Binding[];
  /** How many were given out for each way (`wayOf`). */
  given: Record<string, number>;
  /** Those beyond the limit, by their way. */
  dropped: Record<string, { actionId: string; count: number }>;
};
