import { create, fromJson, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Derivation, type Fact, FactSchema } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { ScanRow } from '../scans/entities.ts';
import { storableJson } from '../storable.ts';
import { FactEntity, type FactRow } from './entities.ts';
import { addStored } from './limits.ts';

/**
 * Stores facts. One that the run has already keeps what it says, and gains the derivations that are new: so the order of
 * calls, and repeating them, make no difference to what it stands on.
 * @throws Refusal INVALID_PARAMETER when the run would store too much
 */
export async function recordFacts(tx: EntityManager, scan: ScanRow, facts: readonly Fact[]): Promise<void> {
  const { runId } = scan;
  const rows = await tx.find(FactEntity, { runId, id: { $in: facts.map(({ id }) => id) } });
  const stored = new Map(rows.map((row) => [row.id, row]));
  for (const fact of facts) {
    const row = stored.get(fact.id);
    if (row) unite(scan, row, fact);
    else stored.set(fact.id, insert(tx, scan, fact));
  }
  await tx.flush();
}

function insert(tx: EntityManager, scan: ScanRow, fact: Fact): FactRow {
  const { runId, orgId } = scan;
  const body = bodyOf({ ...fact, derivations: united([], fact.derivations) });
  addStored(scan, Buffer.byteLength(JSON.stringify(body)));
  return tx.create(FactEntity, { runId, orgId, id: fact.id, body, createdAt: new Date() }, { persist: true });
}

function unite(scan: ScanRow, row: FactRow, { derivations }: Fact): void {
  const before = factOf(row);
  const all = united(before.derivations, derivations);
  if (all.length === before.derivations.length) return;
  const size = Buffer.byteLength(JSON.stringify(row.body));
  row.body = bodyOf({ ...before, derivations: all });
  addStored(scan, Buffer.byteLength(JSON.stringify(row.body)) - size);
}

/** In order, each action with its parents once. */
function united(before: readonly Derivation[], more: readonly Derivation[]): Derivation[] {
  const ways = new Map<string, Derivation>();
  for (const way of [...before, ...more]) {
    const key = JSON.stringify([way.actionId, way.parents]);
    if (!ways.has(key)) ways.set(key, way);
  }
  return [...ways.values()];
}

const bodyOf = (fact: Fact) => storableJson(toJson(FactSchema, create(FactSchema, fact)));

const factOf = ({ body }: FactRow): Fact => fromJson(FactSchema, body, { ignoreUnknownFields: true });

/** Facts of a run, in the order in which they were first recorded. */
export async function listFacts(tx: EntityManager, runId: string): Promise<Fact[]> {
  const rows = await tx.find(FactEntity, { runId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  return rows.map(factOf);
}
