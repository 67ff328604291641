import type { JsonValue } from '@bufbuild/protobuf';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Scan } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { OmissionFields } from '../coverage/omissions.ts';
import { callFunction, fieldsOf } from '../db/session.ts';
import { Refusal } from '../errors.ts';
import { isRunId } from '../runs/run-id.ts';
import { ScanEntity, type ScanRow } from './entities.ts';
import { toRecord } from './scan-record.ts';

/**
 * The status record of one scan. Callers poll it more than anything else, so it takes one round trip.
 * @throws Refusal NOT_FOUND, the same for an unknown id and another org's
 */
export async function readScan(em: EntityManager, orgId: string, runId: string): Promise<Scan> {
  const [found] = isRunId(runId)
    ? await callFunction<FoundScan>(em, 'select (scan).*, families, omitted from read_scan($1, $2)', [orgId, runId])
    : [];
  if (found === undefined) throw new Refusal('NOT_FOUND', { message: 'There is no such scan.' });
  const { families, omitted, ...scan } = found;
  const bodies = (families ?? []).map((body) => ({ body }));
  return toRecord(fieldsOf(em, ScanEntity, scan) as ScanRow, bodies, omitted ?? []);
}

/** What the database function read_scan answers: the columns of the scan, and what it covered. */
type FoundScan = { families: JsonValue[] | null; omitted: OmissionFields[] | null };
