import { create } from '@bufbuild/protobuf';
import { Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import { type SeverityCounts, SeverityCountsSchema } from '../../proto/gen/scanaudit/v1/scans_pb.ts';

/** How many findings there are of each severity. */
export function countSeverities(findings: readonly { severity: Severity }[]): SeverityCounts {
  const count = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).length;
  return create(SeverityCountsSchema, {
    critical: count(Severity.CRITICAL),
    high: count(Severity.HIGH),
    medium: count(Severity.MEDIUM),
    low: count(Severity.LOW),
    info: count(Severity.INFO),
  });
}
