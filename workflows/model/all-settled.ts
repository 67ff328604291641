/** Waits for all, so that nothing is still at work when the first failure is acted on. @throws the first failure */
export async function allSettled(tasks: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
