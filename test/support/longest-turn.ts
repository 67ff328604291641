/**
 * The processor time of the longest turn of this thread's event loop while some work is done: how long any other call
 * waits for it. How busy the machine is makes no difference to it.
 */
export async function longestTurn<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  let isDone = false;
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  try {
    const result = await work();
    // The turn that ends the work counts, too.
    await new Promise((resolve) => setImmediate(resolve));
    return { ms: longestMs, result };
  } finally {
    isDone = true;
  }
}
