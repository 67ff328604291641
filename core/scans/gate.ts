import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AcceptedGap, OmissionCode } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { type Finding, FindingState, type Severity } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  BlockingFindingSchema,
  type Gate,
  GateCoverageSchema,
  GateSchema,
  GateScope,
  GateUntil,
  type Scan,
  ScanStatus,
  Threshold,
  ThresholdSchema,
  Verdict,
} from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { omissionsText } from '../coverage/omissions.ts';
import { enumWord } from '../enum-words.ts';
import { countSeverities } from '../findings/severity.ts';

/** What a verdict depends on: nothing else does. */
export type GateInput = {
  scan: Pick<Scan, 'runId' | 'status' | 'coverage'>;
  /** All verified findings of the scan so far. */
  findings: readonly Pick<Finding, 'id' | 'fingerprint' | 'checkId' | 'title' | 'severity' | 'location' | 'state'>[];
  /** Not unspecified. */
  threshold: Threshold;
  /** Not unspecified. */
  scope: GateScope;
  /** Fingerprints of the run that scope "new" compares with; empty when there is none, so that everything is new. */
  baseline: ReadonlySet<string>;
  /** Of the org's policy, those that are no longer in force too. */
  acceptedGaps: readonly AcceptedGap[];
  /** Not unspecified. */
  until: GateUntil;
  now: Date;
};

/**
 * Pass or fail. A finding blocks when it is in scope, open, and at or above the threshold.
 * Fails closed: only a completed scan without gaps in its coverage passes, apart from those that the org accepts. While the
 * scan runs the verdict is pending; until a verdict, it is fail as soon as a finding blocks.
 */
export function evaluateGate(input: GateInput): Gate {
  const { scan, findings, threshold, scope, baseline, until, now } = input;
  const measured = findings.filter(
    ({ state, fingerprint }) =>
      state !== FindingState.ACCEPTED_RISK &&
      state !== FindingState.FALSE_POSITIVE &&
      (scope === GateScope.ALL || !baseline.has(fingerprint)),
  );
  const blocking = measured.filter(({ severity }) => blocks(severity, threshold));
  const complete = scan.coverage?.complete ?? false;
  const gaps = scan.coverage?.gaps ?? [];
  const limits = scan.coverage?.limits ?? [];
  const acceptedGaps = acceptedOf(input);
  const isAccepted = gaps.length > 0 && gaps.every(({ code }) => acceptedGaps.some((gap) => gap.code === code));
  const verdict = verdictOf(scan.status, blocking.length, complete || isAccepted, until);
  return create(GateSchema, {
    runId: scan.runId,
    scanStatus: scan.status,
    verdict,
    passed: verdict === Verdict.PASS,
    threshold,
    scope,
    counts: countSeverities(measured),
    blocking: blocking.map(({ id, fingerprint, checkId, title, severity, location }) =>
      create(BlockingFindingSchema, { id, fingerprint, checkId, title, severity, ...(location && { location }) }),
    ),
    coverage: create(GateCoverageSchema, { complete, gaps, limits, acceptedGaps }),
    reason: reasonOf(verdict, scan, blocking.length, threshold, scope),
    evaluatedAt: timestampFromDate(now),
  });
}

/** Gaps of the scan that the policy accepts, as long as it does. */
const acceptedOf = ({ scan, acceptedGaps, now }: GateInput): AcceptedGap[] =>
  acceptedGaps.filter(
    ({ code, expiresAt }) =>
      (expiresAt === undefined || timestampDate(expiresAt) > now) &&
      scan.coverage?.gaps.some((gap) => gap.code === code),
  );

/** Severities and thresholds are numbered alike, from info (1) to critical (5). */
const blocks = (severity: Severity, threshold: Threshold) =>
  threshold !== Threshold.NONE && Number(severity) >= Number(threshold);

function verdictOf(status: ScanStatus, blocking: number, isCovered: boolean, until: GateUntil): Verdict {
  const isFinished = status !== ScanStatus.QUEUED && status !== ScanStatus.RUNNING;
  if (!isFinished && until !== GateUntil.VERDICT) return Verdict.PENDING;
  if (blocking > 0) return Verdict.FAIL;
  if (!isFinished) return Verdict.PENDING;
  return status === ScanStatus.COMPLETED && isCovered ? Verdict.PASS : Verdict.INCONCLUSIVE;
}

function reasonOf(
  verdict: Verdict,
  { status, coverage }: GateInput['scan'],
  blocking: number,
  threshold: Threshold,
  scope: GateScope,
) {
  const { gaps = [], limits = [] } = coverage ?? {};
  const kind = scope === GateScope.NEW ? 'new verified finding' : 'verified finding';
  const level = threshold === Threshold.CRITICAL ? 'critical' : `${enumWord(ThresholdSchema, threshold)} or worse`;
  const blockers = `${blocking === 1 ? `1 ${kind} is` : `${blocking} ${kind}s are`} ${level}.`;
  if (verdict === Verdict.FAIL) return blockers;
  if (verdict === Verdict.PENDING)
    return `The scan has not finished. ${blocking > 0 ? `So far, ${blockers}` : 'Nothing blocks so far.'}`;
  if (verdict === Verdict.PASS)
    return [
      threshold === Threshold.NONE ? 'The threshold is none: nothing blocks.' : `No ${kind} is ${level}.`,
      gaps.length > 0 ? `Gaps that the gate policy accepts: ${omissionsText(gaps)}.` : '',
      limits.length > 0 ? `Limits of the coverage: ${omissionsText(limits)}.` : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' ');
  if (status === ScanStatus.FAILED) return 'The scan failed, so it does not show that nothing blocks.';
  if (status === ScanStatus.CANCELED) return 'The scan was canceled, so it does not show that nothing blocks.';
  if (gaps.some(({ code }) => code === OmissionCode.UNDO_FAILED))
    return 'The scan could not take back all that it changed on the target: see coverage and report.';
  const left = gaps.length === 0 ? 'see coverage' : omissionsText(gaps);
  return `The scan did not look at everything, so it does not show that nothing blocks: ${left}.`;
}
