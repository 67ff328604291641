import type { EntityManager } from '@mikro-orm/postgresql';
import type { Scan } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { FamilyCoverageRow } from '../coverage/entities.ts';
import type { OmissionFields } from '../coverage/omissions.ts';
import { executeInOrg, fieldsOf } from '../db/session.ts';
import { Refusal } from '../errors.ts';
import { isRunId } from '../runs/run-id.ts';
import { ScanEntity, type ScanRow } from './entities.ts';
import { toRecord } from './scan-record.ts';

/**
 * The status record of one scan. Callers poll it more than anything else, so it takes one round trip.
 * @throws Refusal NOT_FOUND, the same for an unknown id and another org's
 */
export async function readScan(em: EntityManager, orgId: string, runId: string): Promise<Scan> {
  const [[scan] = [], families = [], omissions = []] = isRunId(runId)
    ? await executeInOrg(em, orgId, [
        { sql: 'select * from scans where run_id = ? and org_id = ?', params: [runId, orgId] },
        { sql: 'select body from family_coverage where run_id = ? order by family', params: [runId] },
        {
          sql: 'select code, subject, count, text from omissions where run_id = ? order by family, subject, code',
          params: [runId],
        },
      ])
    : [];
  if (!scan) throw new Refusal('NOT_FOUND', { message: 'There is no such scan.' });
  return toRecord(
    fieldsOf(em, ScanEntity, scan) as ScanRow,
    families as Pick<FamilyCoverageRow, 'body'>[],
    omissions as OmissionFields[],
  );
}
