import type { Duration } from '@temporalio/common';
import { ApplicationFailure, CancellationScope } from '@temporalio/workflow';
import { isCanceled } from './failures.ts';

/**
 * Ends work that does not end by itself, so that there is time for what comes after it.
 * @throws ApplicationFailure of type `timed_out` when it was ended; whatever the work throws
 */
export async function inTime(limit: Duration, work: () => Promise<void>): Promise<void> {
  try {
    await CancellationScope.withTimeout(limit, work);
  } catch (error) {
    const isTimeout = isCanceled(error) && !CancellationScope.current().consideredCancelled;
    throw isTimeout ? ApplicationFailure.nonRetryable('the audit did not end in time', 'timed_out') : error;
  }
}
