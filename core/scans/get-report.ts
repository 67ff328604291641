import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { inOrg } from '../db/session.ts';
import { type Decisions, decisionsFor, decisionsKey } from '../findings/decisions.ts';
import { findingReader } from '../findings/findings.ts';
import { reportFindings } from '../findings/report-findings.ts';
import { OrgEntity } from '../orgs/entities.ts';
import type { ReportInput } from '../report/input.ts';
import { renderReport } from '../report/report.ts';
import { findScan } from '../runs/find-scan.ts';
import { findPermissions } from '../runs/permissions.ts';
import { requireCompleted } from '../runs/require-completed.ts';
import { findSiteMap } from '../runs/site-map.ts';
import { listWrites } from '../runs/writes.ts';
import type { ScanRow } from './entities.ts';
import { scanRecord } from './scan-record.ts';

/** Bytes of rendered reports that are kept at hand. */
const maxCachedBytes = 32 * 1024 * 1024;

/** Rendered reports, by run, revision and decisions, the one used longest ago being dropped first. */
type ReportCache = LRUCache<string, Buffer>;

export const createReportCache = (maxBytes = maxCachedBytes): ReportCache =>
  new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ byteLength }) => byteLength });

/**
 * The HTML report of a completed scan. Rendered once for each revision of the run and what the org decided since.
 * @throws Refusal NOT_FOUND, SCAN_NOT_COMPLETED
 */
export async function getReport(em: EntityManager, cache: ReportCache, orgId: string, runId: string): Promise<Buffer> {
  return inOrg(em, orgId, async (tx) => {
    const scan = await findScan(tx, orgId, runId);
    requireCompleted(scan);
    const decisions = await decisionsFor(tx, scan);
    const key = `${runId}/${scan.revision}/${decisionsKey(decisions)}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const report = Buffer.from(renderReport(await readInput(tx, scan, decisions)));
    cache.set(key, report);
    return report;
  });
}

async function readInput(tx: EntityManager, scan: ScanRow, decisions: Decisions): Promise<ReportInput> {
  const org = await tx.findOneOrFail(OrgEntity, { id: scan.orgId });
  return {
    scan: await scanRecord(tx, scan),
    findings: await reportFindings(await findingReader(tx, scan, decisions)),
    run: {
      domain: scan.domain,
      ownershipMethod: scan.ownershipMethod,
      ownershipVerifiedAt: scan.ownershipVerifiedAt,
      orgName: org.name,
    },
    permissions: await findPermissions(tx, scan.runId),
    siteMap: await findSiteMap(tx, scan.runId),
    writes: await listWrites(tx, scan.runId),
    now: new Date(),
  };
}
