import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  CoverageSchema,
  DepthSchema,
  FailureSchema,
  FamilyStatus,
  type Scan,
  ScanSchema,
  ScanStatusSchema,
  SeverityCountsSchema,
} from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { FamilyCoverageEntity, type FamilyCoverageRow, OmissionEntity } from '../coverage/entities.ts';
import { coverageSummary, type OmissionFields, splitOmissions } from '../coverage/omissions.ts';
import { storedFamily } from '../coverage/record-coverage.ts';
import { enumValue } from '../enum-words.ts';
import type { ScanRow } from './entities.ts';

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
  const omissions = await tx.find(OmissionEntity, ofRuns, {
    orderBy: { family: 'asc', subject: 'asc', code: 'asc' },
  });
  const familiesOf = Map.groupBy(families, ({ runId }) => runId);
  const omissionsOf = Map.groupBy(omissions, ({ runId }) => runId);
  return rows.map((row) => toRecord(row, familiesOf.get(row.runId) ?? [], omissionsOf.get(row.runId) ?? []));
}

/** The status record of a scan from its own row and those of its coverage, in the order in which they are shown. */
export function toRecord(
  row: ScanRow,
  families: readonly Pick<FamilyCoverageRow, 'body'>[],
  omissions: readonly OmissionFields[],
): Scan {
  const { runId, host, url, phase, progress, findingsCount, requests, credits, entriesLeft } = row;
  const { gaps, limits } = splitOmissions(omissions);
  return create(ScanSchema, {
    ...{ runId, host, url, phase, progress, findingsCount, requests, credits, entriesLeft },
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
      families: families.map((family) => shownFamily(family, row)),
      gaps,
      limits,
      summary: row.status === 'completed' ? coverageSummary(gaps, limits) : '',
    }),
    ...(row.failureCode && {
      failure: create(FailureSchema, { code: row.failureCode, detail: row.failureDetail ?? '' }),
    }),
  });
}

/** What was running when its scan ended did not end by itself. */
function shownFamily(row: Pick<FamilyCoverageRow, 'body'>, { finishedAt }: Pick<ScanRow, 'finishedAt'>) {
  const family = storedFamily(row);
  if (family.status === FamilyStatus.RUNNING && finishedAt) {
    family.status = FamilyStatus.FAILED;
    family.reason = 'the scan ended before it';
  }
  return family;
}
