import { create, fromJson, type JsonValue } from '@bufbuild/protobuf';
import type { FilterQuery } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { BaselineState, type Finding, FindingSchema, FindingState } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { ScanRow } from '../scans/entities.ts';
import { defaultBaseline, fingerprintsOf } from './baseline.ts';
import { type Decisions, decisionsFor } from './decisions.ts';
import type { FindingRow } from './entities.ts';
import { FindingEntity } from './entities.ts';

/** A stored finding as callers see it: compared with the run's baseline, with what the org decided about it. */
function toFinding(
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
    `select body - '{proof,locations,chain,description,impact,remediation,references}'::text[] as body
     from findings where run_id = ? order by severity desc, fingerprint`,
    [scan.runId],
  );
  const decisions = await decisionsFor(tx, scan);
  return rows.map(({ body }) => toFinding({ body, firstSeenRunId: '' }, { baseline: new Set(), decisions }));
}

/** Which findings, and how many at most. */
type FindingFilter = { where?: FilterQuery<FindingRow>; state?: FindingState; limit: number };

/** Reads the worst findings of a scan that pass a filter, worst first. */
export type FindingReader = (filter: FindingFilter) => Promise<Finding[]>;

/** Makes a reader of findings as callers see them. */
export async function findingReader(tx: EntityManager, scan: ScanRow, decisions: Decisions): Promise<FindingReader> {
  const baseline = await fingerprintsOf(tx, await defaultBaseline(tx, scan));
  return async ({ where = {}, state = FindingState.UNSPECIFIED, limit }) => {
    const rows = await tx.find(
      FindingEntity,
      { $and: [{ runId: scan.runId }, where, stateFilter(state, decisions)] },
      // None is changed: to keep and compare them would take more than to read them.
      { orderBy: { severity: 'desc', fingerprint: 'asc' }, limit, disableIdentityMap: true },
    );
    return rows.map((row) => toFinding(row, { baseline, decisions }));
  };
}

function stateFilter(state: FindingState, decisions: Decisions): FilterQuery<FindingRow> {
  if (state === FindingState.UNSPECIFIED) return {};
  if (state === FindingState.OPEN) return { fingerprint: { $nin: [...decisions.keys()] } };
  const decided = [...decisions].filter(([, each]) => each === state);
  return { fingerprint: { $in: decided.map(([fingerprint]) => fingerprint) } };
}

/** Findings behind one, in the order in which they are read. */
export const behind = (severity: number, fingerprint: string): FilterQuery<FindingRow> => ({
  $or: [{ severity: { $lt: severity } }, { severity, fingerprint: { $gt: fingerprint } }],
});

/** Some megabytes at most: other calls come between two pages. */
const pageSize = 100;

/** All findings that pass a filter, a page at a time, so that a large run keeps no other call waiting. */
export async function* findingPages(
  read: FindingReader,
  { where = {}, state }: Omit<FindingFilter, 'limit'> = {},
): AsyncGenerator<Finding[]> {
  for (let after: FilterQuery<FindingRow> = {}; ; ) {
    const page = await read({
      where: { $and: [where, after] },
      ...(state !== undefined && { state }),
      limit: pageSize,
    });
    yield page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = behind(last.severity, last.fingerprint);
  }
}
