import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Write, WriteSchema, WriteStateSchema } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { DomainEntity } from '../domains/entities.ts';
import { enumWord } from '../enum-words.ts';
import { invalid } from '../errors.ts';
import { given } from '../fields.ts';
import type { ScanRow } from '../scans/entities.ts';
import { storableJson } from '../storable.ts';
import { WriteEntity, writeStates } from './entities.ts';
import { addStored } from './limits.ts';

type StateWord = (typeof writeStates)[number];

const stateOf = ({ state }: Write): StateWord =>
  given(writeStates.find((known) => known === enumWord(WriteStateSchema, state)));

/** Of writes that were recorded without an undo: nothing is tried at the end of the run. */
const settled: readonly StateWord[] = ['left', 'unchanged'];

/** Changes that should have been taken back and may still be on the target. */
export const openStates: readonly StateWord[] = ['pending', 'undo_failed'];

/**
 * Stores a write to the target before it is sent, and what became of it after. One that has an undo needs a read that
 * shows that it is gone, or it is not sent, and not undone. One that has none needs the place where it stays.
 * @throws Refusal INVALID_PARAMETER
 */
export async function recordWrite(tx: EntityManager, scan: ScanRow, write: Write): Promise<void> {
  const state = stateOf(write);
  if (settled.includes(state)) requirePlace(write);
  else requireUndo(write, state);
  const { runId, orgId } = scan;
  const body = storableJson(toJson(WriteSchema, write));
  const known = await tx.findOne(WriteEntity, { runId, id: write.id });
  if (known && settled.includes(state) && openStates.includes(known.state))
    throw invalid('INVALID_PARAMETER', 'write.state', 'a write that has an undo is not left: undone or undo_failed');
  if (!known) await requireAllowed(tx, scan);
  addStored(scan, bytesOf(body) - (known ? bytesOf(known.body) : 0));
  if (known) {
    Object.assign(known, { state, body });
  } else {
    tx.create(WriteEntity, { runId, orgId, id: write.id, state, body, recordedAt: new Date() }, { persist: true });
  }
  scan.revision += 1;
}

function requireUndo({ undo, verify, place }: Write, state: StateWord): void {
  if (!undo) throw invalid('INVALID_PARAMETER', 'write.undo', 'the request that takes the write back');
  if (state !== 'undo_failed' && !verify?.assertions.length)
    throw invalid('INVALID_PARAMETER', 'write.verify', 'the read that shows that the write is gone');
  if (place !== '') throw invalid('INVALID_PARAMETER', 'write.place', 'only of a write that has no undo');
}

function requirePlace({ undo, place }: Write): void {
  if (undo) throw invalid('INVALID_PARAMETER', 'write.state', 'a write that has an undo is not left');
  if (!URL.canParse(place))
    throw invalid('INVALID_PARAMETER', 'write.place', 'the http or https URL of the page that shows what is left');
}

/** What the org forbids while a run is under way holds for what the run has not begun. */
async function requireAllowed(tx: EntityManager, { orgId, domain }: ScanRow): Promise<void> {
  const right = await tx.findOne(DomainEntity, { orgId, domain });
  if (right?.writes === 'none') throw invalid('INVALID_PARAMETER', 'write', `the scope of ${domain} allows no writes`);
}

const bytesOf = (body: JsonValue): number => Buffer.byteLength(JSON.stringify(body));

/** Writes of a run, in the order in which they were first recorded. */
export async function listWrites(tx: EntityManager, runId: string): Promise<Write[]> {
  const rows = await tx.find(WriteEntity, { runId }, { orderBy: { recordedAt: 'asc', id: 'asc' } });
  return rows.map(({ body }) => fromJson(WriteSchema, body, { ignoreUnknownFields: true }));
}
