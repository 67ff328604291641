import type { ReportProgressRequest } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import type { ScanRow } from '../scans/entities.ts';

/** What a run is doing. Its progress, kept in hundredths, never goes back. */
export function reportProgress(scan: ScanRow, { phase, progress }: ReportProgressRequest): void {
  scan.phase = phase;
  scan.progress = Math.max(scan.progress, Math.round(progress * 100) / 100);
}
