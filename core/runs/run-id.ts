import { randomUUIDv7 } from 'node:crypto';

/** A new run's id and the moment that it says: a UUIDv7 begins with its milliseconds (RFC 9562 §5.7). */
export function newRun(): { runId: string; createdAt: Date } {
  const runId = randomUUIDv7();
  return { runId, createdAt: new Date(Number.parseInt(runId.replace('-', '').slice(0, 12), 16)) };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is spelled as an id of ours is: no other can name anything. */
export const isRunId = (text: string): boolean => uuid.test(text);

/** The largest time of a UUIDv7: 48 bits of milliseconds. */
const maxTimeMs = 2 ** 48 - 1;

/** No run of this millisecond or later has a smaller id. So the primary order of runs is the order of their creation. */
export function firstRunIdAt(timeMs: number): string {
  const digits = Math.min(Math.max(timeMs, 0), maxTimeMs).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
