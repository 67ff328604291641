import { once } from 'node:events';
import { type TransferListItem, Worker } from 'node:worker_threads';

/** What one piece of work may take. */
export type AsideLimits = { timeoutMs: number; maxHeapMb: number };

/** The work was ended because it took more than it may. */
export class AsideLimitError extends Error {
  override name = 'AsideLimitError';
  readonly exceeded: 'time' | 'memory';
  constructor(exceeded: 'time' | 'memory') {
    super(`it takes too ${exceeded === 'time' ? 'long' : 'much memory'} to read`);
    this.exceeded = exceeded;
  }
}

/** Runs a piece of work. @throws AsideLimitError; the signal's reason; what the thread itself has thrown */
type Aside = (input: unknown, signal: AbortSignal, transfer?: TransferListItem[]) => Promise<unknown>;

/**
 * Makes a runner of work in a thread that ends when it takes too long or too much, so that no other call waits for it.
 * One after the other: many at once take no more memory than one.
 * @param thread module that reads `workerData` and posts one message: the result
 */
export function createAside(thread: URL, limits: AsideLimits): Aside {
  let last: Promise<unknown> = Promise.resolve();
  return (input, signal, transfer = []) => {
    const result = last.then(() => runInThread(thread, input, signal, transfer, limits));
    last = result.catch(() => {});
    return result;
  };
}

async function runInThread(
  module: URL,
  input: unknown,
  signal: AbortSignal,
  transfer: TransferListItem[],
  { timeoutMs, maxHeapMb }: AsideLimits,
): Promise<unknown> {
  signal.throwIfAborted();
  const thread = new Worker(module, {
    workerData: input,
    transferList: transfer,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    // What may be secret in this program is none of its business.
    env: {},
  });
  // One that is ended in the middle may fail once more.
  thread.on('error', () => {});
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const [result] = await once(thread, 'message', { signal: AbortSignal.any([signal, late]) });
    return result;
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new AsideLimitError('time');
    throw isOutOfMemory(error) ? new AsideLimitError('memory') : error;
  } finally {
    await thread.terminate();
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
