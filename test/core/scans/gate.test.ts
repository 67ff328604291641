import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { splitOmissions } from '../../../core/coverage/omissions.ts';
import { enumWord } from '../../../core/enum-words.ts';
import { evaluateGate, type GateInput } from '../../../core/scans/gate.ts';
import { AcceptedGapSchema, OmissionCode, OmissionCodeSchema } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { FindingSchema, FindingState, Severity, SeveritySchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  GateScope,
  GateUntil,
  ScanSchema,
  ScanStatus,
  ScanStatusSchema,
  Threshold,
  ThresholdSchema,
  Verdict,
  VerdictSchema,
} from '../../../proto/gen/scanaudit/v1/scans_pb.ts';

const { QUEUED, RUNNING, COMPLETED, FAILED, CANCELED } = ScanStatus;
const { INFO, LOW, MEDIUM, HIGH, CRITICAL } = Severity;
const { PASS, FAIL, PENDING, INCONCLUSIVE } = Verdict;

const finding = (severity: Severity, fingerprint = `f${severity}`, state: FindingState = FindingState.OPEN) =>
  create(FindingSchema, { id: `id-${fingerprint}`, fingerprint, checkId: 'a.b', title: 'T', severity, state });

const gate = (input: Partial<GateInput> & { status?: ScanStatus; complete?: boolean }) =>
  evaluateGate({
    scan: create(ScanSchema, {
      runId: 'r',
      status: input.status ?? COMPLETED,
      coverage: { complete: input.complete ?? true },
    }),
    findings: [],
    threshold: Threshold.HIGH,
    scope: GateScope.ALL,
    until: GateUntil.COMPLETED,
    baseline: new Set(),
    acceptedGaps: [],
    now: new Date(0),
    ...input,
  });

const { BLOCKED, BUDGET, LOGIN_NOT_PROVEN, WOULD_WRITE, FOLDED } = OmissionCode;

/** A completed scan that left something out. */
function scanWith(...left: [code: OmissionCode, count: number][]) {
  const { gaps, limits } = splitOmissions(
    left.map(([code, count]) => ({
      code: enumWord(OmissionCodeSchema, code),
      subject: 'x',
      count,
      text: `${count} were left out`,
    })),
  );
  return create(ScanSchema, { status: COMPLETED, coverage: { complete: gaps.length === 0, gaps, limits } });
}

const cases: [status: ScanStatus, complete: boolean, worst: Severity | undefined, verdict: Verdict][] = [
  [QUEUED, false, undefined, PENDING],
  [RUNNING, false, undefined, PENDING],
  [RUNNING, false, MEDIUM, PENDING],
  [RUNNING, false, HIGH, PENDING],
  [COMPLETED, true, undefined, PASS],
  [COMPLETED, true, MEDIUM, PASS],
  [COMPLETED, true, HIGH, FAIL],
  [COMPLETED, true, CRITICAL, FAIL],
  [COMPLETED, false, undefined, INCONCLUSIVE],
  [COMPLETED, false, MEDIUM, INCONCLUSIVE],
  [COMPLETED, false, HIGH, FAIL],
  [FAILED, true, undefined, INCONCLUSIVE],
  [FAILED, false, undefined, INCONCLUSIVE],
  [FAILED, false, HIGH, FAIL],
  [CANCELED, true, undefined, INCONCLUSIVE],
  [CANCELED, false, undefined, INCONCLUSIVE],
  [CANCELED, false, CRITICAL, FAIL],
];

const verdicts = suite('gate verdicts');

for (const [status, complete, worst, verdict] of cases) {
  const what = `${enumWord(ScanStatusSchema, status)}, ${complete ? 'complete' : 'incomplete'}, worst ${worst ? enumWord(SeveritySchema, worst) : 'none'}`;
  verdicts(`${what}: ${enumWord(VerdictSchema, verdict)}`, () => {
    const answer = gate({ status, complete, findings: worst ? [finding(worst)] : [] });
    assert.is(answer.verdict, verdict);
    assert.is(answer.passed, verdict === PASS);
    assert.is(answer.scanStatus, status);
    assert.ok(answer.reason.endsWith('.'), answer.reason);
  });
}

verdicts('until a verdict: fail as soon as one finding blocks, pending before', () => {
  const early = { status: RUNNING, complete: false, until: GateUntil.VERDICT };
  assert.is(gate({ ...early, findings: [finding(MEDIUM)] }).verdict, PENDING);
  assert.is(gate({ ...early, findings: [finding(HIGH)] }).verdict, FAIL);
  assert.is(gate({ ...early, status: COMPLETED, complete: true }).verdict, PASS);
});

verdicts('a pending verdict says what blocks so far', () => {
  const running = { status: RUNNING, complete: false };
  const nothing = gate({ ...running, findings: [finding(MEDIUM)] });
  assert.is(nothing.reason, 'The scan has not finished. Nothing blocks so far.');
  const one = gate({ ...running, findings: [finding(HIGH)] });
  assert.is(one.reason, 'The scan has not finished. So far, 1 verified finding is high or worse.');
  assert.is(one.blocking.length, 1);
});

for (const severity of [INFO, LOW, MEDIUM, HIGH, CRITICAL])
  for (const threshold of [
    Threshold.INFO,
    Threshold.LOW,
    Threshold.MEDIUM,
    Threshold.HIGH,
    Threshold.CRITICAL,
    Threshold.NONE,
  ])
    verdicts(`${enumWord(SeveritySchema, severity)} at threshold ${enumWord(ThresholdSchema, threshold)}`, () => {
      const order = ['info', 'low', 'medium', 'high', 'critical', 'none'];
      const isBlocked =
        order.indexOf(enumWord(SeveritySchema, severity)) >= order.indexOf(enumWord(ThresholdSchema, threshold));
      assert.is(gate({ threshold, findings: [finding(severity)] }).verdict, isBlocked ? FAIL : PASS);
    });

verdicts('threshold none still fails closed on an incomplete scan', () => {
  assert.is(gate({ threshold: Threshold.NONE, complete: false }).verdict, INCONCLUSIVE);
});

verdicts.run();

const scope = suite('gate scope');

scope('accepted risks and false positives neither block nor count', () => {
  const findings = [
    finding(CRITICAL, 'a', FindingState.ACCEPTED_RISK),
    finding(HIGH, 'b', FindingState.FALSE_POSITIVE),
    finding(LOW, 'c'),
  ];
  const answer = gate({ findings });
  assert.is(answer.verdict, PASS);
  assert.is(answer.counts?.critical, 0);
  assert.is(answer.counts?.low, 1);
});

scope('new leaves out what the baseline had', () => {
  const findings = [finding(HIGH, 'old'), finding(LOW, 'new')];
  const answer = gate({ findings, scope: GateScope.NEW, baseline: new Set(['old']) });
  assert.is(answer.verdict, PASS);
  assert.is(answer.counts?.high, 0);
  assert.is(answer.counts?.low, 1);
});

scope('new blocks on what the baseline did not have', () => {
  const answer = gate({ findings: [finding(HIGH, 'fresh')], scope: GateScope.NEW, baseline: new Set(['old']) });
  assert.is(answer.verdict, FAIL);
  assert.equal(
    answer.blocking.map(({ fingerprint }) => fingerprint),
    ['fresh'],
  );
});

scope('everything is new without a baseline', () => {
  assert.is(gate({ findings: [finding(HIGH)], scope: GateScope.NEW }).verdict, FAIL);
});

scope('all ignores the baseline', () => {
  assert.is(gate({ findings: [finding(HIGH, 'old')], baseline: new Set(['old']) }).verdict, FAIL);
});

scope('the answer names what was not covered', () => {
  const { coverage, reason } = gate({ scan: scanWith([LOGIN_NOT_PROVEN, 1], [WOULD_WRITE, 17]) });
  assert.equal(
    coverage?.gaps.map(({ code }) => code),
    [LOGIN_NOT_PROVEN],
  );
  assert.equal(
    coverage?.limits.map(({ code, count }) => [code, count]),
    [[WOULD_WRITE, 17]],
  );
  assert.match(reason, 'nothing blocks: one login of a test identity could not be proven.');
});

scope('a change that is still on the target is said, and nothing passes', () => {
  const scan = scanWith([OmissionCode.UNDO_FAILED, 1]);
  const answer = gate({ scan, threshold: Threshold.NONE });
  assert.is(answer.verdict, Verdict.INCONCLUSIVE);
  assert.match(answer.reason, 'could not take back all that it changed');
});

scope('limits never keep a gate from passing, and never pass for clean', () => {
  const { verdict, reason, coverage } = gate({ scan: scanWith([WOULD_WRITE, 17], [FOLDED, 168]) });
  assert.is(verdict, PASS);
  assert.is(coverage?.complete, true);
  assert.match(
    reason,
    'Limits of the coverage: 168 pages were not fetched: pages of their routes are built alike; 17 forms and requests were not sent: they would write.',
  );
});

const accepted = (code: OmissionCode, expiresAt?: Date) =>
  create(AcceptedGapSchema, {
    code,
    reason: 'until spring',
    ...(expiresAt && { expiresAt: timestampFromDate(expiresAt) }),
  });

scope('a gate passes when the policy accepts each gap, and shows which', () => {
  const scan = scanWith([BLOCKED, 40], [BUDGET, 3]);
  const answer = gate({ scan, acceptedGaps: [accepted(BLOCKED), accepted(BUDGET), accepted(LOGIN_NOT_PROVEN)] });
  assert.is(answer.verdict, PASS);
  assert.is(answer.coverage?.complete, false);
  assert.equal(
    answer.coverage?.acceptedGaps.map(({ code, reason }) => [code, reason]),
    [
      [BLOCKED, 'until spring'],
      [BUDGET, 'until spring'],
    ],
  );
  assert.match(answer.reason, 'Gaps that the gate policy accepts: the budget');
});

scope('one gap that is not accepted, or no longer, keeps a gate from passing', () => {
  const scan = scanWith([BLOCKED, 40], [BUDGET, 3]);
  assert.is(gate({ scan, acceptedGaps: [accepted(BLOCKED)] }).verdict, INCONCLUSIVE);
  const ended = [accepted(BLOCKED), accepted(BUDGET, new Date(1_000))];
  assert.is(gate({ scan, acceptedGaps: ended, now: new Date(999) }).verdict, PASS);
  const late = gate({ scan, acceptedGaps: ended, now: new Date(1_000) });
  assert.is(late.verdict, INCONCLUSIVE);
  assert.equal(
    late.coverage?.acceptedGaps.map(({ code }) => code),
    [BLOCKED],
  );
});

scope('accepted gaps do not make up for a scan that failed, or that did not say what it left out', () => {
  const failed = { ...scanWith([BLOCKED, 1]), status: FAILED };
  assert.is(gate({ scan: failed, acceptedGaps: [accepted(BLOCKED)] }).verdict, INCONCLUSIVE);
  assert.is(gate({ complete: false, acceptedGaps: [accepted(BLOCKED)] }).verdict, INCONCLUSIVE);
});

scope.run();
