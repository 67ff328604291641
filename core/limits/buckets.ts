import type { Caller } from '../context.ts';

/** A bucket holds a minute's worth of calls and is refilled evenly. */
export type Bucket = {
  /** In the database, for instance "key:4fQ9aB2c". */
  id: string;
  /** In the answer's headers. */
  policyName: 'requests' | 'starts' | 'org-requests';
  perMinute: number;
  /** Tokens that the call takes; 0 only looks, -1 gives one back. */
  cost: -1 | 0 | 1;
};

/** The starts of an org, as migrations/0034-begin-call.ts names them: one takes its token when nothing is wrong with it. */
export const startsOf = ({ orgId, plan }: NonNullable<Caller['org']>): Bucket => ({
  id: `starts:${orgId}`,
  policyName: 'starts',
  perMinute: plan.startsPerMinute,
  cost: 1,
});
