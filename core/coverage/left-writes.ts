import { fromJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { WriteSchema } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { WriteEntity } from '../runs/entities.ts';
import { maxSubjectLength, maxTextLength } from '../runs/limits.ts';
import { openStates } from '../runs/writes.ts';
import type { ScanRow } from '../scans/entities.ts';
import { storable } from '../storable.ts';
import { OmissionEntity } from './entities.ts';

/** Says in what a run left out which changes may still be on the target, where its worker could not say so. */
export async function coverLeftWrites(tx: EntityManager, { runId, orgId }: ScanRow): Promise<void> {
  const rows = await tx.find(WriteEntity, { runId, state: { $in: [...openStates] } });
  for (const { body } of rows) {
    const { description, undo } = fromJson(WriteSchema, body, { ignoreUnknownFields: true });
    const subject = storable(`undo:${undo?.url ?? ''}`).slice(0, maxSubjectLength);
    const text = storable(`a change may still be on the target: ${description}`).slice(0, maxTextLength);
    const entry = { runId, orgId, family: 'undo', code: 'undo_failed', subject, count: 1, text };
    await tx.upsert(OmissionEntity, entry, { onConflictAction: 'ignore' });
  }
}
