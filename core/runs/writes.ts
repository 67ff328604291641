import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Write, WriteSchema, WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { invalid } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';
import { maxReasonLength, maxSubjectLength } from './coverage.ts';
import { NotCoveredEntity, WriteEntity, type writeStates } from './entities.ts';
import { addStored, requireShort } from './limits.ts';
import { storable, storableJson } from './storable.ts';

const stateWords: Record<number, (typeof writeStates)[number]> = {
  [WriteState.PENDING]: 'pending',
  [WriteState.UNDONE]: 'undone',
  [WriteState.UNDO_FAILED]: 'undo_failed',
};

/**
 * Stores a write to the target before it is sent, and what became of it after. One that nothing could show to be gone is
 * not sent, and not undone.
 * @throws Refusal INVALID_PARAMETER
 */
export async function recordWrite(tx: EntityManager, scan: ScanRow, write: Write | undefined): Promise<void> {
  if (!write?.request || !write.undo)
    throw invalid('INVALID_PARAMETER', 'write', 'the request, and the one that takes it back');
  requireShort(write.id, 'write.id', 128);
  const state = stateWords[write.state];
  if (!state) throw invalid('INVALID_PARAMETER', 'write.state', 'pending, undone or undo_failed');
  if (state !== 'undo_failed' && !write.verify?.assertions.length)
    throw invalid('INVALID_PARAMETER', 'write.verify', 'the read that shows that the write is gone');
  const { runId, orgId } = scan;
  const body = storableJson(toJson(WriteSchema, write));
  const known = await tx.findOne(WriteEntity, { runId, id: write.id });
  addStored(scan, bytesOf(body) - (known ? bytesOf(known.body) : 0));
  if (known) {
    Object.assign(known, { state, body });
  } else {
    tx.create(WriteEntity, { runId, orgId, id: write.id, state, body, recordedAt: new Date() }, { persist: true });
  }
  scan.revision += 1;
}

const bytesOf = (body: JsonValue): number => Buffer.byteLength(JSON.stringify(body));

/** Writes of a run, in the order in which they were first recorded. */
export async function listWrites(tx: EntityManager, runId: string): Promise<Write[]> {
  const rows = await tx.find(WriteEntity, { runId }, { orderBy: { recordedAt: 'asc', id: 'asc' } });
  return rows.map(({ body }) => fromJson(WriteSchema, body, { ignoreUnknownFields: true }));
}

/** Says in what a run did not cover which changes may still be on the target, where its worker could not say so. */
export async function coverLeftWrites(tx: EntityManager, { runId, orgId }: ScanRow): Promise<void> {
  const rows = await tx.find(WriteEntity, { runId, state: { $ne: 'undone' } });
  for (const { body } of rows) {
    const { description, undo } = fromJson(WriteSchema, body, { ignoreUnknownFields: true });
    const subject = storable(`undo:${undo?.url ?? ''}`).slice(0, maxSubjectLength);
    const reason = storable(`a change may still be on the target: ${description}`).slice(0, maxReasonLength);
    const entry = { runId, orgId, family: 'undo', subject, reason };
    await tx.upsert(NotCoveredEntity, entry, { onConflictAction: 'ignore' });
  }
}
