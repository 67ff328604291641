import { z } from 'zod';

/** The kinds of messages and what each says, which is logged: ids, no secrets. dispatch/deliveries.ts says how each is delivered. */
export const kinds = {
  /** A workflow for a scan whose turn it is. */
  start: z.object({ runId: z.string(), depth: z.enum(['standard', 'deep']) }),
  /** The workflow of a scan is to stop. */
  cancel: z.object({ runId: z.string() }),
};

export type MessageKind = keyof typeof kinds;
export type MessagePayload<K extends MessageKind> = z.infer<(typeof kinds)[K]>;
