import { fromJson, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Write, WriteSchema, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { invalid } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';
import { WriteEntity, type writeStates } from './entities.ts';
import { addStored, requireShort } from './limits.ts';
import { storableJson } from './storable.ts';

const stateWords: Record<number, (typeof writeStates)[number]> = {
  [WriteState.PENDING]: 'pending',
  [WriteState.UNDONE]: 'undone',
  [WriteState.UNDO_FAILED]: 'undo_failed',
};

/** Stores a write to the target before it is sent, and what became of it after. @throws Refusal INVALID_PARAMETER */
export async function recordWrite(tx: EntityManager, scan: ScanRow, write: Write | undefined): Promise<void> {
  if (!write?.request || !write.undo)
    throw invalid('INVALID_PARAMETER', 'write', 'the request, and the one that takes it back');
  requireShort(write.id, 'write.id', 128);
  const state = stateWords[write.state];
  if (!state) throw invalid('INVALID_PARAMETER', 'write.state', 'pending, undone or undo_failed');
  const { runId, orgId } = scan;
  const body = storableJson(toJson(WriteSchema, write));
  const known = await tx.findOne(WriteEntity, { runId, id: write.id });
  if (known) {
    Object.assign(known, { state, body });
  } else {
    addStored(scan, Buffer.byteLength(JSON.stringify(body)));
    tx.create(WriteEntity, { runId, orgId, id: write.id, state, body, recordedAt: new Date() }, { persist: true });
  }
  scan.revision += 1;
}

/** Writes of a run, in the order in which they were first recorded. */
export async function listWrites(tx: EntityManager, runId: string): Promise<Write[]> {
  const rows = await tx.find(WriteEntity, { runId }, { orderBy: { recordedAt: 'asc', id: 'asc' } });
  return rows.map(({ body }) => fromJson(WriteSchema, body, { ignoreUnknownFields: true }));
}
