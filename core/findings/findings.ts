import { create, fromJson, type JsonValue } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import { BaselineState, type Finding, FindingSchema, FindingState } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { ScanRow } from '../scans/entities.ts';
import { defaultBaseline, fingerprintsOf } from './baseline.ts';
import { type Decisions, decisionsFor } from './decisions.ts';
import type { FindingRow } from './entities.ts';
import { FindingEntity } from './entities.ts';

/** A stored finding as callers see it: compared with the run's baseline, with what the org decided about it. */
export function toFinding(
  row: Pick<FindingRow, 'body' | 'firstSeenRunId'>,
  { baseline, decisions }: { baseline: ReadonlySet<string>; decisions: Decisions },
): Finding {
  const finding = fromJson(FindingSchema, row.body, { ignoreUnknownFields: true });
  return create(FindingSchema, {
    ...finding,
    firstSeenRunId: row.firstSeenRunId,
    baselineState: baseline.has(finding.fingerprint) ? BaselineState.UNCHANGED : BaselineState.NEW,
    state: decisions.get(finding.fingerprint) ?? FindingState.OPEN,
  });
}

/** What a gate looks at: findings without their evidence, worst first. */
export async function gateFindings(tx: EntityManager, scan: ScanRow): Promise<Finding[]> {
  const rows = await tx.execute<{ body: JsonValue }[]>(
    "select body - 'proof' - 'locations' as body from findings where run_id = ? order by severity desc, fingerprint",
    [scan.runId],
  );
  const decisions = await decisionsFor(tx, scan);
  return rows.map(({ body }) => toFinding({ body, firstSeenRunId: '' }, { baseline: new Set(), decisions }));
}

/** All findings of a scan, worst first. */
export async function allFindings(tx: EntityManager, scan: ScanRow, decisions: Decisions): Promise<Finding[]> {
  const rows = await tx.find(
    FindingEntity,
    { runId: scan.runId },
    { orderBy: { severity: 'desc', fingerprint: 'asc' } },
  );
  const baseline = await fingerprintsOf(tx, await defaultBaseline(tx, scan));
  return rows.map((row) => toFinding(row, { baseline, decisions }));
}
