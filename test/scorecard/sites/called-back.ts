import { startCallbacks } from '../../fixtures/callbacks.ts';
import type { ScoreSite } from '../case.ts';

/** A site that is audited with a listener for callbacks. */
export async function calledBack(site: ScoreSite): Promise<ScoreSite> {
  const callbacks = await startCallbacks();
  return {
    ...site,
    options: { ...site.options, callbacks: callbacks.probe },
    async close() {
      await site.close();
      await callbacks.close();
    },
  };
}
