import { create } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type FinishRunRequest,
  type FinishRunResponse,
  FinishRunResponseSchema,
  RunOutcome,
} from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { ScanStatusSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { enumValue } from '../enum-words.ts';
import { given } from '../fields.ts';
import { findScan } from '../runs/find-scan.ts';
import { inRun, notRunning } from '../runs/in-run.ts';
import { lockQueue } from '../runs/queue.ts';
import { type Ending, endRun } from './end-run.ts';

const outcomes: Record<number, Ending['outcome']> = {
  [RunOutcome.COMPLETED]: 'completed',
  [RunOutcome.FAILED]: 'failed',
  [RunOutcome.CANCELED]: 'canceled',
};

/**
 * Ends a run. Repeating it with the same outcome answers the same. A run that never began can fail or be canceled, but
 * not complete.
 * @throws Refusal NOT_FOUND, RUN_NOT_RUNNING
 */
export async function finishRun(em: EntityManager, request: FinishRunRequest): Promise<FinishRunResponse> {
  const outcome = given(outcomes[request.outcome]);
  const { failure } = request;
  return inRun(em, request.runId, async (tx, orgId, host) => {
    await lockQueue(tx, orgId, host);
    const scan = await findScan(tx, orgId, request.runId, true);
    if (scan.status !== outcome) {
      const canEnd = scan.status === 'running' || (scan.status === 'queued' && outcome !== 'completed');
      if (!canEnd) throw notRunning(scan);
      await endRun(tx, scan, { outcome, isFree: request.isFree, ...(failure && { failure }) });
    }
    return create(FinishRunResponseSchema, { status: enumValue(ScanStatusSchema, scan.status) });
  });
}
