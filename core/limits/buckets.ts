import type { Policy } from '../access/policy.ts';
import type { Caller } from '../context.ts';

/** A bucket holds a minute's worth of calls and is refilled evenly. */
export type Bucket = {
  /** In the database, for instance "key:4fQ9aB2c". */
  id: string;
  /** In the answer's headers. */
  policyName: 'requests' | 'starts';
  perMinute: number;
};

// Programs of ours have no plan; the figure only stops one that runs wild.
const ownPrograms = 60_000;

/** What a call takes a token from: its key's bucket and, when it starts something, its org's. */
export function bucketsOf(caller: Caller, policy: Policy): Bucket[] {
  const { keyId, kind, org } = caller;
  const perMinute = kind === 'org' && org ? org.plan.requestsPerMinute : ownPrograms;
  const buckets: Bucket[] = [{ id: `key:${keyId}`, policyName: 'requests', perMinute }];
  if (policy.limit === 'starts' && org)
    buckets.push({ id: `starts:${org.orgId}`, policyName: 'starts', perMinute: org.plan.startsPerMinute });
  return buckets;
}
