/** The error that a promise rejects with. @throws Error when it does not reject, or not with an Error */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  let reason: unknown;
  try {
    await promise;
  } catch (error) {
    reason = error;
  }
  if (reason instanceof Error) return reason;
  throw new Error(`It should have been refused with an error, but gave ${String(reason)}.`);
}
