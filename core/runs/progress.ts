import type { ReportProgressRequest } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { invalid } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';

const phases = ['survey', 'standard', 'login', 'deep', 'chains', 'finish'];

/** What a run is doing. Its progress, kept in hundredths, never goes back. @throws Refusal INVALID_PARAMETER */
export function reportProgress(scan: ScanRow, { phase, progress }: ReportProgressRequest): void {
  if (!phases.includes(phase)) throw invalid('INVALID_PARAMETER', 'phase', `one of ${phases.join(', ')}`);
  if (!(progress >= 0 && progress <= 1)) throw invalid('INVALID_PARAMETER', 'progress', 'from 0 to 1');
  scan.phase = phase;
  scan.progress = Math.max(scan.progress, Math.round(progress * 100) / 100);
}
