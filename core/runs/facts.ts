import { fromJson, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Fact, FactSchema } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { ScanRow } from '../scans/entities.ts';
import { FactEntity } from './entities.ts';
import { addStored, requireFew, requireShort } from './limits.ts';
import { storableJson } from './storable.ts';

/** Stores facts, each in place of one of the same id. @throws Refusal INVALID_PARAMETER */
export async function recordFacts(tx: EntityManager, scan: ScanRow, facts: readonly Fact[]): Promise<void> {
  requireFew(facts, 'facts');
  const { runId, orgId } = scan;
  for (const [index, fact] of facts.entries()) {
    requireShort(fact.id, `facts[${index}].id`, 128);
    requireShort(fact.kind, `facts[${index}].kind`, 128);
    const body = storableJson(toJson(FactSchema, fact));
    addStored(scan, Buffer.byteLength(JSON.stringify(body)));
    await tx.upsert(
      FactEntity,
      { runId, orgId, id: fact.id, body, createdAt: new Date() },
      { onConflictExcludeFields: ['createdAt'] },
    );
  }
}

/** Facts of a run, in the order in which they were first recorded. */
export async function listFacts(tx: EntityManager, runId: string): Promise<Fact[]> {
  const rows = await tx.find(FactEntity, { runId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  return rows.map(({ body }) => fromJson(FactSchema, body, { ignoreUnknownFields: true }));
}
