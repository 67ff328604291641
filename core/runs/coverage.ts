import { fromJson, toJson } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { RecordCoverageRequest } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { type FamilyCoverage, FamilyCoverageSchema, FamilyStatus } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { LoginEntity } from '../domains/entities.ts';
import { invalid } from '../errors.ts';
import { isComplete } from '../scans/coverage.ts';
import type { ScanRow } from '../scans/entities.ts';
import { FamilyCoverageEntity, NotCoveredEntity } from './entities.ts';
import { addStored, requireShort } from './limits.ts';
import { storable, storableJson } from './storable.ts';

/** Check outcomes of a family, and things not covered, in one call. */
const maxEntries = 1_000;

/** A URL, at most. */
export const maxSubjectLength = 2_048;
export const maxReasonLength = 1_000;

/**
 * Stores how a family ended, and what it did not cover, in place of what was said of it before. Without a family, what
 * the run as a whole did not cover: this adds up.
 */
export async function recordCoverage(tx: EntityManager, scan: ScanRow, request: RecordCoverageRequest): Promise<void> {
  const { runId, orgId } = scan;
  const { family } = request;
  if (family) requireFamily(family);
  if (request.notCovered.length > maxEntries)
    throw invalid('INVALID_PARAMETER', 'notCovered', `at most ${maxEntries} a call`);
  if (family) {
    const body = storableJson(toJson(FamilyCoverageSchema, family));
    addStored(scan, Buffer.byteLength(JSON.stringify(body)));
    await tx.upsert(FamilyCoverageEntity, { runId, orgId, family: family.id, body });
    await tx.nativeDelete(NotCoveredEntity, { runId, family: family.id });
  }
  const ofFamily = { runId, orgId, family: family?.id ?? '' };
  const entries = new Map(
    request.notCovered.map((entry) => {
      const subject = storable(entry.subject).slice(0, maxSubjectLength);
      return [subject, { ...ofFamily, subject, reason: storable(entry.reason).slice(0, maxReasonLength) }];
    }),
  );
  if (entries.size > 0) await tx.upsertMany(NotCoveredEntity, [...entries.values()]);
  const families = await readFamilies(tx, runId);
  scan.requests = families.reduce((sum, { requests }) => sum + requests, 0);
  scan.revision += 1;
}

function requireFamily(family: FamilyCoverage): void {
  requireShort(family.id, 'family.id', 64);
  if (![FamilyStatus.DONE, FamilyStatus.SKIPPED, FamilyStatus.FAILED].some((status) => status === family.status))
    throw invalid('INVALID_PARAMETER', 'family.status', 'use done, skipped or failed');
  if (family.requests < 0 || family.checks < 0)
    throw invalid('INVALID_PARAMETER', 'family', 'checks and requests are not negative');
  if (family.outcomes.length > maxEntries)
    throw invalid('INVALID_PARAMETER', 'family.outcomes', `at most ${maxEntries}`);
}

async function readFamilies(tx: EntityManager, runId: string): Promise<FamilyCoverage[]> {
  const rows = await tx.find(FamilyCoverageEntity, { runId }, { refresh: true });
  return rows.map(({ body }) => fromJson(FamilyCoverageSchema, body, { ignoreUnknownFields: true }));
}

/**
 * Decides, at the end of a run, whether everything was looked at. A deep scan that had no identity to log in with, or
 * ran no deep check, says so in what it did not cover.
 */
export async function concludeCoverage(tx: EntityManager, scan: ScanRow): Promise<boolean> {
  const { runId, orgId, domain } = scan;
  const families = await readFamilies(tx, runId);
  if (scan.depth === 'deep') {
    const missing: { subject: string; reason: string }[] = [];
    if ((await tx.count(LoginEntity, { orgId, domain })) === 0)
      missing.push({ subject: 'login', reason: 'The domain has no test identity to log in with.' });
    if (!families.some(({ id }) => id.startsWith('deep/')))
      missing.push({ subject: 'deep', reason: 'No deep check was run.' });
    for (const entry of missing) await tx.upsert(NotCoveredEntity, { runId, orgId, family: 'deep', ...entry });
  }
  const notCovered = await tx.count(NotCoveredEntity, { runId });
  return notCovered === 0 && isComplete(families);
}
