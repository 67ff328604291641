import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExportFindingsRequest } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { inOrg } from '../db/session.ts';
import { findingsOf, severityFilter } from '../findings/list-findings.ts';
import { maxResults, sarifLog } from '../findings/sarif/sarif.ts';
import { findScan } from '../runs/find-scan.ts';
import { requireCompleted } from '../runs/require-completed.ts';
import { scanRecord } from './scan-record.ts';

/**
 * The verified findings of a completed scan as SARIF, in UTF-8.
 * @throws Refusal INVALID_PARAMETER, NOT_FOUND, SCAN_NOT_COMPLETED
 */
export async function exportFindings(
  em: EntityManager,
  orgId: string,
  request: ExportFindingsRequest,
): Promise<Uint8Array> {
  const where = severityFilter(request);
  return inOrg(em, orgId, async (tx) => {
    const scan = await findScan(tx, orgId, request.runId);
    requireCompleted(scan);
    const findings = await findingsOf(tx, scan, { where, state: request.state, limit: maxResults + 1 });
    const log = sarifLog(await scanRecord(tx, scan), findings.slice(0, maxResults), findings.length > maxResults);
    return Buffer.from(log);
  });
}
