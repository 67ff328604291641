/** What a run may change on its target, as the scope of the domain says: see enum Writes in proto/scanaudit/v1/domains.proto. */
export type AllowedWrites = 'none' | 'reversible' | 'create';

/** One activity's share of what a run may send to its host. */
export type BudgetShare = {
  maxRequests: number;
  /** Connections open at the same time. */
  maxConnections: number;
  requestsPerSecond: number;
  /** Epoch milliseconds after which nothing is sent. */
  deadlineMs: number;
};
