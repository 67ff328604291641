import { create } from '@bufbuild/protobuf';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { evaluateGate, type GateInput } from '../../../core/scans/gate.ts';
import { enumWord } from '../../../core/scans/words.ts';
import { FindingSchema, FindingState, Severity, SeveritySchema } from '../../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  GateScope,
  GateUntil,
  NotCoveredSchema,
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
    now: new Date(0),
    ...input,
  });

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
  const notCovered = [create(NotCoveredSchema, { subject: 'login:a', reason: 'no marker' })];
  const scan = create(ScanSchema, { status: COMPLETED, coverage: { complete: false, notCovered } });
  assert.equal(
    gate({ scan }).coverage?.notCovered.map(({ subject }) => subject),
    ['login:a'],
  );
});

scope('a change that is still on the target is said, and nothing passes', () => {
  const notCovered = [create(NotCoveredSchema, { subject: 'undo:https://www.example.com/me', reason: 'kept' })];
  const scan = create(ScanSchema, { status: COMPLETED, coverage: { complete: false, notCovered } });
  const answer = gate({ scan, threshold: Threshold.NONE });
  assert.is(answer.verdict, Verdict.INCONCLUSIVE);
  assert.match(answer.reason, 'could not take back all that it changed');
});

scope.run();
