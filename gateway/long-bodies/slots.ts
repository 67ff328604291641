import { createHash } from 'node:crypto';
import { GatewayRefusal } from '../errors.ts';

/** Long bodies that a gateway reads at once: each may take some 60 MiB until core has it. */
const maxInAll = 8;
/** Of one key, so that a caller with slow or many bodies leaves slots for the others. */
const maxOfKey = 2;

/** Counts the long bodies that are being read. */
export type BodySlots = {
  /**
   * Takes a slot.
   * @returns gives it back
   * @throws Refusal RATE_LIMITED, UNAVAILABLE
   */
  take(authorization: string | undefined): () => void;
};

export function createBodySlots(): BodySlots {
  const ofKeys = new Map<string, number>();
  let inAll = 0;
  return {
    take(authorization = '') {
      // Not the key itself: nothing here needs to know it.
      const key = createHash('sha256').update(authorization).digest('base64');
      const ofKey = ofKeys.get(key) ?? 0;
      if (ofKey >= maxOfKey)
        throw new GatewayRefusal(
          'RATE_LIMITED',
          `Only ${maxOfKey} long bodies of one key are read at once. Send this one again later.`,
        );
      if (inAll >= maxInAll)
        throw new GatewayRefusal('UNAVAILABLE', 'Too many long bodies are being read. Send this one again later.');
      ofKeys.set(key, ofKey + 1);
      inAll += 1;
      return () => {
        inAll -= 1;
        const left = (ofKeys.get(key) ?? 1) - 1;
        if (left === 0) ofKeys.delete(key);
        else ofKeys.set(key, left);
      };
    },
  };
}
