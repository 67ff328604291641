import { workflowInfo } from '@temporalio/workflow';
import type { ScanInput } from '../../workflows/model/tasks.ts';
import { activitiesFor } from '../../workflows/orchestration/activity-options.ts';
import { openBudget, shareOf } from '../../workflows/orchestration/budget.ts';

/** The scan with its first two steps the other way round: what a careless change would do to scans in progress. */
export async function scanWorkflow({ runId, depth }: ScanInput): Promise<void> {
  const activities = activitiesFor(workflowInfo().taskQueue, depth);
  const share = shareOf(openBudget(depth, 1, 0));
  await activities.standard.survey({ runId, identity: '', share });
  await activities.control.beginRun({ runId });
}
