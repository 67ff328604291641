import type { EntityManager } from '@mikro-orm/postgresql';
import type { ExportFindingsRequest } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { inOrg } from '../db/session.ts';
import { decisionsFor } from '../findings/decisions.ts';
import { findingPages, findingReader } from '../findings/findings.ts';
import { severityFilter } from '../findings/list-findings.ts';
import { sarifLog } from '../findings/sarif/sarif.ts';
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
    const log = sarifLog(await scanRecord(tx, scan));
    const read = await findingReader(tx, scan, await decisionsFor(tx, scan));
    for await (const page of findingPages(read, { where, state: request.state }))
      if (!page.every((finding) => log.add(finding))) break;
    return log.end();
  });
}
