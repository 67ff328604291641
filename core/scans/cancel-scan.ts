import type { EntityManager } from '@mikro-orm/postgresql';
import type { Scan } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { inOrg } from '../db/session.ts';
import { cancelHeld } from '../endings/cancel-scans.ts';
import { Refusal } from '../errors.ts';
import { findScan } from '../runs/find-scan.ts';
import { lockQueue } from '../runs/queue.ts';
import type { ScanRow } from './entities.ts';
import { scanRecord } from './scan-record.ts';

/**
 * Cancels a scan. One that has not begun is canceled at once and refunded, whether Temporal knows it or not; the
 * worker of a running one is asked to stop, and reports when it has. Asking again changes nothing.
 * @returns the status record, which of a running scan still says so
 * @throws Refusal NOT_FOUND, SCAN_FINISHED
 */
export function cancelScan(em: EntityManager, orgId: string, runId: string): Promise<Scan> {
  return inOrg(em, orgId, async (tx) => {
    const { host } = await findScan(tx, orgId, runId);
    await lockQueue(tx, orgId, host);
    const scan = await findScan(tx, orgId, runId, true);
    if (scan.finishedAt) throw refusalOf(scan.status);
    await cancelHeld(tx, scan);
    return scanRecord(tx, scan);
  });
}

const refusalOf = (scanStatus: ScanRow['status']) =>
  new Refusal('SCAN_FINISHED', {
    message: `The scan is ${scanStatus}: there is nothing left to cancel.`,
    metadata: { scanStatus },
  });
