import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DocumentFault } from './draft.ts';
import type { ReadDocument } from './read-document.ts';

/** What one document may take; tests are less patient. */
export type Limits = {
  /** Default 20,000: many times what the largest takes. */
  timeoutMs?: number;
  /** Default 256: what the largest needs. */
  maxHeapMb?: number;
};

type Told = { read: ReadDocument } | { fault: string };

/** Reads a document. @throws DocumentFault; the signal's reason */
export type Reader = (text: string, signal: AbortSignal) => Promise<ReadDocument>;

/**
 * Makes a reader that does as `readDocument` in a thread that ends when it takes too long or too much: whatever somebody
 * puts keeps no other call waiting. One after the other, so that many at once take no more memory than one.
 */
export function createReader(limits: Limits = {}): Reader {
  let last: Promise<unknown> = Promise.resolve();
  return (text, signal) => {
    const reading = last.then(() => readInThread(text, signal, limits));
    last = reading.catch(() => {});
    return reading;
  };
}

async function readInThread(
  text: string,
  signal: AbortSignal,
  { timeoutMs = 20_000, maxHeapMb = 256 }: Limits,
): Promise<ReadDocument> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // What may be secret in this program is none of its business.
    env: {},
  });
  // One that is ended in the middle may fail once more.
  thread.on('error', () => {});
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const [told] = (await once(thread, 'message', { signal: AbortSignal.any([signal, late]) })) as [Told];
    if ('fault' in told) throw new DocumentFault(told.fault);
    return told.read;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new DocumentFault('it takes too long to read');
    if (isOutOfMemory(error)) throw new DocumentFault('it takes too much memory to read');
    throw error;
  } finally {
    await thread.terminate();
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
