import { FamilyStatus, OutcomeKind } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import type { FamilyProgress, NotCovered, Outcome, PartInput } from '../orchestration/tasks.ts';
import { type Hindrance, hindranceText } from '../probe/http/wall-watch.ts';

const kinds: Record<Outcome['kind'], OutcomeKind> = {
  found: OutcomeKind.FOUND,
  clean: OutcomeKind.CLEAN,
  'not-applicable': OutcomeKind.NOT_APPLICABLE,
  'not-run': OutcomeKind.NOT_RUN,
};

/**
 * How a family ended, as core stores it.
 * @param lostFor why it ended before all its checks had run
 */
export function familyCoverage(id: string, { outcomes, requests, hindrance }: FamilyProgress, lostFor?: string) {
  const blocked = hindrance && hindranceText(hindrance, requests);
  return {
    family: {
      id,
      status: lostFor === undefined ? FamilyStatus.DONE : FamilyStatus.FAILED,
      reason: lostFor ?? blocked ?? slowedText(hindrance),
      checks: outcomes.filter(({ kind }) => kind === 'found' || kind === 'clean').length,
      requests,
      outcomes: outcomes.map(({ checkId, kind, reason, remark = '', refuted }) => ({
        checkId,
        outcome: kinds[kind],
        reason: [reason, remark].filter((words) => words !== '').join('; '),
        refuted,
      })),
    },
    notCovered: [
      ...(blocked === undefined ? [] : [{ subject: id, reason: blocked }]),
      ...outcomes.filter(isGap).map(({ checkId, reason }): NotCovered => ({ subject: checkId, reason })),
    ],
  };
}

/**
 * How a part of the scan that is no family of checks ended.
 * @param part.remark on a part that ended well
 */
export function partCoverage({
  part,
  requests,
  notCovered,
  remark = '',
}: Omit<PartInput, 'runId'> & { remark?: string }) {
  const [gap] = notCovered;
  const status = gap === undefined ? FamilyStatus.DONE : FamilyStatus.FAILED;
  return { family: { id: part, status, reason: gap?.reason ?? remark, checks: 0, requests, outcomes: [] }, notCovered };
}

/** A remark for a part of the scan that took longer than it had to. */
export const slowedText = (hindrance: Hindrance | undefined): string =>
  hindrance?.slowed === undefined ? '' : `requests were sent more slowly: ${hindrance.slowed}`;

/** Something was not looked at: all of it, or some places of a check that otherwise ran. */
const isGap = ({ kind, reason }: Outcome): boolean =>
  kind === 'not-run' || (kind !== 'not-applicable' && reason !== '');
