import type { CheckContext } from '../contract.ts';
import type { Payload } from '../dom/xss-payloads.ts';
import { policiesOf, restrictsScripts } from '../pages/csp.ts';
import { policyPayloads } from './policy-payloads.ts';
import type { Sighting } from './stored-places.ts';
import { read } from './stored-reads.ts';

/**
 * Markup whose script runs under the policies of the pages that show a stored value. Each page is read once more, and twice where it has such a policy.
 * @throws ProbeError
 */
export async function storedPolicyPayloads(context: CheckContext, sightings: readonly Sighting[]): Promise<Payload[]> {
  const found = new Map<string, Payload>();
  for (const { url, viewer, reflections, isScripted } of sightings) {
    // Script puts markup in that loads no script.
    const first = isScripted ? undefined : await read(context, viewer, url);
    const second = first && policiesOf(first).some(restrictsScripts) ? await read(context, viewer, url) : undefined;
    if (!first || !second) continue;
    for (const payload of await policyPayloads(context, reflections, [first, second]))
      found.set(payload.value, payload);
  }
  return [...found.values()];
}
