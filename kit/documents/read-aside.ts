import { AsideLimitError, type AsideLimits, createAside } from '../aside.ts';
import { DocumentFault } from './draft.ts';
import type { ReadDocument } from './read-document.ts';

/** What one document may take: many times what the largest takes, and what the largest needs. */
const usualLimits: AsideLimits = { timeoutMs: 20_000, maxHeapMb: 256 };

type ReadOutcome = { read: ReadDocument } | { fault: string };

/** Reads a document. @throws DocumentFault; the signal's reason */
export type Reader = (text: string, signal: AbortSignal) => Promise<ReadDocument>;

/**
 * Makes a reader that does as `readDocument` in a thread of its own: whatever somebody puts keeps no other call waiting.
 * @param limits tests are less patient
 */
export function createReader(limits: Partial<AsideLimits> = {}): Reader {
  const aside = createAside(new URL('./thread.ts', import.meta.url), { ...usualLimits, ...limits });
  return async (text, signal) => {
    const answer = await aside(text, signal).catch((error: unknown) => {
      throw error instanceof AsideLimitError ? new DocumentFault(error.message) : error;
    });
    const result = answer as ReadOutcome;
    if ('fault' in result) throw new DocumentFault(result.fault);
    return result.read;
  };
}
