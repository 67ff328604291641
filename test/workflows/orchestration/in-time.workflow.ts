import { sleep } from '@temporalio/workflow';
import { failureOf, isCanceled } from '../../../workflows/orchestration/failures.ts';
import { inTime } from '../../../workflows/orchestration/in-time.ts';

/** @returns how work of that length ended within that time */
export async function timed({ workMs, limitMs }: { workMs: number; limitMs: number }): Promise<string> {
  try {
    await inTime(limitMs, () => sleep(workMs));
    return 'done';
  } catch (error) {
    return isCanceled(error) ? 'canceled' : failureOf(error).code;
  }
}
