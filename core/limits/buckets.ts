import type { Policy } from '../access/policy.ts';
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

// Programs of ours have no plan; the figure only stops one that runs wild.
const ownPrograms = 60_000;

/**
 * What a call takes a token from: its key's bucket, and that of its org, which all its keys share. Of the starts of the
 * org it only sees how many are left: a start takes its token when nothing is wrong with it (take-start.ts). Always in
 * this order, in which calls wait for each other.
 */
export function bucketsOf(caller: Caller, policy: Policy): Bucket[] {
  const { keyId, kind, org } = caller;
  const plan = kind === 'org' ? org?.plan : undefined;
  const own: Bucket = {
    id: `key:${keyId}`,
    policyName: 'requests',
    perMinute: plan?.requestsPerMinute ?? ownPrograms,
    cost: 1,
  };
  const starts = policy.limit === 'starts' && org ? [{ ...startsOf(org), cost: 0 as const }] : [];
  return [own, ...starts, ...(plan && org ? [requestsOf(org)] : [])];
}

type CallerOrg = NonNullable<Caller['org']>;

const requestsOf = ({ orgId, plan }: CallerOrg): Bucket => ({
  id: `org:${orgId}`,
  policyName: 'org-requests',
  perMinute: plan.orgRequestsPerMinute,
  cost: 1,
});

export const startsOf = ({ orgId, plan }: CallerOrg): Bucket => ({
  id: `starts:${orgId}`,
  policyName: 'starts',
  perMinute: plan.startsPerMinute,
  cost: 1,
});
