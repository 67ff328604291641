import { FamilyStatus, OutcomeKind } from '../../proto/gen/scanaudit/v1/scans_pb.ts';

type Family = { status: FamilyStatus; outcomes: readonly { outcome: OutcomeKind }[] };

/**
 * Whether the families of a run looked at everything, or it does not apply to the target. Unknown words count as not
 * looked at.
 * A family that was skipped is complete only when it names checks and none of them applies.
 */
export function isComplete(families: readonly Family[]): boolean {
  return families.length > 0 && families.every(isFamilyComplete);
}

const completeOutcomes: readonly OutcomeKind[] = [OutcomeKind.FOUND, OutcomeKind.CLEAN, OutcomeKind.NOT_APPLICABLE];

function isFamilyComplete({ status, outcomes }: Family): boolean {
  if (!outcomes.every(({ outcome }) => completeOutcomes.includes(outcome))) return false;
  if (status === FamilyStatus.DONE) return true;
  return status === FamilyStatus.SKIPPED && outcomes.length > 0;
}
