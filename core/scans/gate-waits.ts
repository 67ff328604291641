import { Refusal } from '../errors.ts';

/** Gates that one core waits for at once: each looks at the database twice a second. */
const maxInAll = 500;
/** By then one of them has probably ended. */
const retryAfterMs = 5_000;

/** Counts the gates that are waited for. */
type GateWaits = {
  /**
   * Takes a place.
   * @param maxOfOrg what the org's plan allows
   * @returns gives it back
   * @throws Refusal RATE_LIMITED
   */
  take(orgId: string, maxOfOrg: number): () => void;
};

export function createGateWaits(maxOfAll = maxInAll): GateWaits {
  const ofOrgs = new Map<string, number>();
  let inAll = 0;
  return {
    take(orgId, maxOfOrg) {
      const ofOrg = ofOrgs.get(orgId) ?? 0;
      if (ofOrg >= maxOfOrg)
        throw new Refusal('RATE_LIMITED', {
          message: `The org waits for ${ofOrg} gates already, as many as its plan allows.`,
          advice: 'Ask again later, or without wait.',
          retryAfterMs,
        });
      if (inAll >= maxOfAll)
        throw new Refusal('RATE_LIMITED', {
          message: 'Too many gates are waited for.',
          advice: 'Ask again later, or without wait.',
          retryAfterMs,
        });
      ofOrgs.set(orgId, ofOrg + 1);
      inAll += 1;
      return () => {
        inAll -= 1;
        const left = (ofOrgs.get(orgId) ?? 1) - 1;
        if (left === 0) ofOrgs.delete(orgId);
        else ofOrgs.set(orgId, left);
      };
    },
  };
}
