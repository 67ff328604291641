import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isFamilyComplete } from '../../../core/coverage/families.ts';
import { OmissionCode } from '../../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { FamilyStatus, OutcomeKind } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';

const { FOUND, CLEAN, NOT_APPLICABLE, NOT_RUN, UNSPECIFIED } = OutcomeKind;
const family = (status: FamilyStatus, ...outcomes: (OutcomeKind | OmissionCode[])[]) => ({
  status,
  outcomes: outcomes.map((outcome) =>
    Array.isArray(outcome)
      ? { outcome: NOT_RUN, code: outcome[0] ?? OmissionCode.UNSPECIFIED }
      : { outcome, code: OmissionCode.UNSPECIFIED },
  ),
});

const cases: [name: string, complete: boolean, one: ReturnType<typeof family>][] = [
  ['all checks found or clean', true, family(FamilyStatus.DONE, FOUND, CLEAN)],
  ['a check that does not apply', true, family(FamilyStatus.DONE, CLEAN, NOT_APPLICABLE)],
  ['a family without checks that is done', true, family(FamilyStatus.DONE)],
  ['a skipped family whose checks do not apply', true, family(FamilyStatus.SKIPPED, NOT_APPLICABLE)],
  ['a skipped family that names no check', false, family(FamilyStatus.SKIPPED)],
  ['a check that was not run', false, family(FamilyStatus.DONE, CLEAN, NOT_RUN)],
  ['a check that a gap kept from running', false, family(FamilyStatus.DONE, [OmissionCode.BUDGET])],
  ['a check that a limit kept from running', true, family(FamilyStatus.DONE, [OmissionCode.INSTRUMENT_OFF])],
  ['a check without an outcome', false, family(FamilyStatus.DONE, UNSPECIFIED)],
  ['a failed family', false, family(FamilyStatus.FAILED, CLEAN)],
  ['a family without a status', false, family(FamilyStatus.UNSPECIFIED, CLEAN)],
];

const coverage = suite('coverage');

for (const [name, complete, one] of cases)
  coverage(`${name}: ${complete ? 'complete' : 'not complete'}`, () => {
    assert.is(isFamilyComplete(one), complete);
  });

coverage.run();
