import type { TakenTokens } from './take-tokens.ts';

const windowSeconds = 60;

/**
 * RateLimit and RateLimit-Policy as structured fields (draft-ietf-httpapi-ratelimit-headers-10): remaining calls,
 * and seconds until the quota is whole again.
 */
export function setLimitHeaders(headers: Headers, taken: readonly TakenTokens[]): void {
  const limits = taken.map((t) => `"${t.policyName}";r=${t.remaining};t=${Math.ceil(t.resetMs / 1000)}`);
  const policies = taken.map((t) => `"${t.policyName}";q=${t.perMinute};w=${windowSeconds}`);
  headers.set('ratelimit', limits.join(', '));
  headers.set('ratelimit-policy', policies.join(', '));
}
