import { type FamilyCoverage, FamilyStatus, OutcomeKind } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { isGap } from './omissions.ts';

type FamilyOutcomes = Pick<FamilyCoverage, 'status'> & {
  outcomes: readonly Pick<FamilyCoverage['outcomes'][number], 'outcome' | 'code'>[];
};

/**
 * Whether a family looked at everything that the depth promises, or it does not apply to the target. Unknown words count
 * as not looked at.
 * A family that was skipped is complete only when it names checks and none of them had to look.
 */
export function isFamilyComplete({ status, outcomes }: FamilyOutcomes): boolean {
  if (!outcomes.every(isOutcomeComplete)) return false;
  if (status === FamilyStatus.DONE) return true;
  return status === FamilyStatus.SKIPPED && outcomes.length > 0;
}

const completeOutcomes: readonly OutcomeKind[] = [OutcomeKind.FOUND, OutcomeKind.CLEAN, OutcomeKind.NOT_APPLICABLE];

const isOutcomeComplete = ({ outcome, code }: FamilyOutcomes['outcomes'][number]): boolean =>
  completeOutcomes.includes(outcome) || (outcome === OutcomeKind.NOT_RUN && !isGap(code));
