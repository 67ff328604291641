import type { Depth, Phase } from '../model/tasks.ts';
import type { Activities } from './activity-options.ts';
import { isCanceled } from './failures.ts';

/** What every part of one scan's workflow needs. */
export type ScanState = {
  runId: string;
  depth: Depth;
  activities: Activities;
  /** Families that were lost with the worker, and lost again when they ran alone. */
  lostWithWorker: Set<string>;
};

/** Progress is informational: a failure to report it never stops the audit. */
export async function reportProgress({ runId, activities }: ScanState, phase: Phase, progress: number): Promise<void> {
  try {
    await activities.courtesy.reportProgress({ runId, phase, progress });
  } catch (error) {
    if (isCanceled(error)) throw error;
  }
}
