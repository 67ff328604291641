import { randomUUIDv7 } from 'node:crypto';

/** A new run's id and the moment that it says: a UUIDv7 begins with its milliseconds (RFC 9562 §5.7). */
export function newRun(): { runId: string; createdAt: Date } {
  const runId = randomUUIDv7();
  return { runId, createdAt: createdAtOf(runId) };
}

/** The millisecond in which a run was created. */
export const createdAtOf = (runId: string): Date => new Date(Number.parseInt(runId.replace('-', '').slice(0, 12), 16));

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is spelled as an id of ours is: no other can name anything. */
export const isRunId = (text: string): boolean => uuid.test(text);
