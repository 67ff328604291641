/**
 * Processor time of this thread so far, in milliseconds: others do not count, and waiting does not. What bounds the work
 * on an answer by it comes to the same end on a busy machine.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
