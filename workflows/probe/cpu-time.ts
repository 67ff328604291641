/** Processor time of this thread: others do not count, and waiting does not. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
