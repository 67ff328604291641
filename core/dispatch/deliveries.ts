import type { MessageKind, MessagePayload } from '../outbox/kinds.ts';
import type { Orchestrator } from './temporal.ts';

/** How a message of each kind is delivered. One may be delivered twice, which has to do no harm. */
export const deliveries = (
  temporal: Orchestrator,
): { [K in MessageKind]: (payload: MessagePayload<K>) => Promise<void> } => ({
  start: ({ runId, depth }) => temporal.start(runId, depth),
  cancel: ({ runId }) => temporal.cancel(runId),
});
