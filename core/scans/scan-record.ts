import { create, fromJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  CoverageSchema,
  DepthSchema,
  FailureSchema,
  FamilyCoverageSchema,
  NotCoveredSchema,
  type Scan,
  ScanSchema,
  ScanStatusSchema,
  SeverityCountsSchema,
} from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import {
  FamilyCoverageEntity,
  type FamilyCoverageRow,
  NotCoveredEntity,
  type NotCoveredRow,
} from '../runs/entities.ts';
import type { ScanRow } from './entities.ts';
import { enumValue } from './words.ts';

/** The status record of one scan. */
export async function scanRecord(tx: EntityManager, row: ScanRow): Promise<Scan> {
  const [record] = await scanRecords(tx, [row]);
  if (!record) throw new Error('a scan has a record');
  return record;
}

/** The status records of scans, in their order: two statements, however many there are. */
export async function scanRecords(tx: EntityManager, rows: readonly ScanRow[]): Promise<Scan[]> {
  if (rows.length === 0) return [];
  const ofRuns = { runId: { $in: rows.map(({ runId }) => runId) } };
  const families = await tx.find(FamilyCoverageEntity, ofRuns, { orderBy: { family: 'asc' } });
  const notCovered = await tx.find(NotCoveredEntity, ofRuns, { orderBy: { family: 'asc', subject: 'asc' } });
  const familiesOf = Map.groupBy(families, ({ runId }) => runId);
  const notCoveredOf = Map.groupBy(notCovered, ({ runId }) => runId);
  return rows.map((row) => toRecord(row, familiesOf.get(row.runId) ?? [], notCoveredOf.get(row.runId) ?? []));
}

/** The status record of a scan from its own row and those of its coverage, in the order in which they are shown. */
export function toRecord(
  row: ScanRow,
  families: readonly Pick<FamilyCoverageRow, 'body'>[],
  notCovered: readonly Pick<NotCoveredRow, 'subject' | 'reason'>[],
): Scan {
  const { runId, host, url, phase, progress, findingsCount, requests, credits } = row;
  return create(ScanSchema, {
    ...{ runId, host, url, phase, progress, findingsCount, requests, credits },
    depth: enumValue(DepthSchema, row.depth),
    status: enumValue(ScanStatusSchema, row.status),
    createdAt: timestampFromDate(row.createdAt),
    ...(row.startedAt && { startedAt: timestampFromDate(row.startedAt) }),
    ...(row.finishedAt && { finishedAt: timestampFromDate(row.finishedAt) }),
    severity: create(SeverityCountsSchema, {
      critical: row.critical,
      high: row.high,
      medium: row.medium,
      low: row.low,
      info: row.info,
    }),
    coverage: create(CoverageSchema, {
      complete: row.coverageComplete,
      families: families.map(({ body }) => fromJson(FamilyCoverageSchema, body, { ignoreUnknownFields: true })),
      notCovered: notCovered.map(({ subject, reason }) => create(NotCoveredSchema, { subject, reason })),
    }),
    ...(row.failureCode && {
      failure: create(FailureSchema, { code: row.failureCode, detail: row.failureDetail ?? '' }),
    }),
  });
}
