import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isComplete } from '../../../core/scans/coverage.ts';
import { FamilyStatus, OutcomeKind } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';

const { FOUND, CLEAN, NOT_APPLICABLE, NOT_RUN, UNSPECIFIED } = OutcomeKind;
const family = (status: FamilyStatus, ...outcomes: OutcomeKind[]) => ({
  status,
  outcomes: outcomes.map((outcome) => ({ outcome })),
});

const cases: [name: string, complete: boolean, families: ReturnType<typeof family>[]][] = [
  ['all checks found or clean', true, [family(FamilyStatus.DONE, FOUND, CLEAN)]],
  ['a check that does not apply', true, [family(FamilyStatus.DONE, CLEAN, NOT_APPLICABLE)]],
  ['a family without checks that is done', true, [family(FamilyStatus.DONE)]],
  ['a skipped family whose checks do not apply', true, [family(FamilyStatus.SKIPPED, NOT_APPLICABLE)]],
  ['a skipped family that names no check', false, [family(FamilyStatus.SKIPPED)]],
  ['a check that was not run', false, [family(FamilyStatus.DONE, CLEAN, NOT_RUN)]],
  ['a check without an outcome', false, [family(FamilyStatus.DONE, UNSPECIFIED)]],
  ['a failed family', false, [family(FamilyStatus.DONE, CLEAN), family(FamilyStatus.FAILED, CLEAN)]],
  ['a family without a status', false, [family(FamilyStatus.UNSPECIFIED, CLEAN)]],
  ['no family at all', false, []],
];

const coverage = suite('coverage');

for (const [name, complete, families] of cases)
  coverage(`${name}: ${complete ? 'complete' : 'not complete'}`, () => {
    assert.is(isComplete(families), complete);
  });

coverage.run();
