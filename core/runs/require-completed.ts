import { Refusal } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';

/** How long a scan may take to complete that is not completed when it is asked for. */
const retryAfterMs = 5_000;

/** @throws Refusal SCAN_NOT_COMPLETED, with a time to try again while the scan can still complete */
export function requireCompleted(scan: ScanRow): void {
  if (scan.status === 'completed') return;
  const canComplete = scan.finishedAt === null || scan.finishedAt === undefined;
  throw new Refusal('SCAN_NOT_COMPLETED', {
    message: `The scan is ${scan.status}: only a completed scan has findings and a report.`,
    ...(!canComplete && { advice: 'Start another scan.' }),
    metadata: { scanStatus: scan.status },
    ...(canComplete && { retryAfterMs }),
  });
}
