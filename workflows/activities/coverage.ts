import { OmissionCode } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { FamilyStatus, OutcomeKind } from '../../proto/gen/scanaudit/v1/scans_pb.ts';
import { digest } from '../checks/fingerprint.ts';
import { isGap } from '../checks/omitted.ts';
import type { Omission, OmissionWord } from '../model/omission.ts';
import type { FamilyProgress, Obstruction, PartInput, TaskOutcome } from '../model/tasks.ts';
import { obstructionText } from '../probe/http/block-watch.ts';

const kinds: Record<TaskOutcome['kind'], OutcomeKind> = {
  found: OutcomeKind.FOUND,
  clean: OutcomeKind.CLEAN,
  'not-applicable': OutcomeKind.NOT_APPLICABLE,
  'not-run': OutcomeKind.NOT_RUN,
};

const codeOf = (word: OmissionWord): OmissionCode => OmissionCode[word.toUpperCase() as Uppercase<OmissionWord>];

/** As core stores them. */
const stored = (omissions: readonly Omission[]) => ({
  omissions: omissions.map(({ code, subject, count, text }) => ({ code: codeOf(code), subject, count, text })),
  places: omissions.flatMap(({ places }, omission) =>
    places ? [{ omission, places: places.map((place) => digest([place])) }] : [],
  ),
});

/**
 * How a family ended, as core stores it.
 * @param lost why it ended before all its checks had run
 */
export function familyCoverage(
  id: string,
  { outcomes, requests, obstruction, refused = [] }: FamilyProgress,
  lost?: Omission,
) {
  const blocked = blockedBy(id, obstruction, requests);
  return {
    family: {
      id,
      status: lost === undefined ? FamilyStatus.DONE : FamilyStatus.FAILED,
      reason: lost?.text ?? blocked[0]?.text ?? slowedText(obstruction),
      checks: outcomes.filter(({ kind }) => kind === 'found' || kind === 'clean').length,
      requests,
      outcomes: outcomes.map(outcomeOf),
    },
    ...stored([
      ...(lost ? [lost] : []),
      ...blocked,
      ...refused.map((each) => ({ ...each, subject: id })),
      ...outcomes.flatMap(({ checkId, omitted }) => omitted.map((each) => ({ ...each, subject: checkId }))),
    ]),
  };
}

/** What a part of the scan, or a family, has sent before it ends. */
export const runningCoverage = (id: string, requests: number) => ({
  family: { id, status: FamilyStatus.RUNNING, reason: '', checks: 0, requests, outcomes: [] },
});

function outcomeOf({ checkId, kind, reason, omitted, refuted }: TaskOutcome) {
  const why = kind === 'not-run' ? (omitted.find(isGap) ?? omitted[0]) : undefined;
  const code = why === undefined ? OmissionCode.UNSPECIFIED : codeOf(why.code);
  return { checkId, outcome: kinds[kind], reason, refuted, code };
}

/**
 * How a part of the scan that is no family of checks ended.
 * @param part.remark on a part that ended well
 */
export function partCoverage({
  part,
  requests,
  omissions,
  remark = '',
}: Omit<PartInput, 'runId'> & { remark?: string }) {
  const gap = omissions.find(isGap);
  const status = gap === undefined ? FamilyStatus.DONE : FamilyStatus.FAILED;
  const family = { id: part, status, reason: gap?.text ?? remark, checks: 0, requests, outcomes: [] };
  return { family, ...stored(omissions) };
}

/** Answers of something before the site are evidence of nothing. */
export function blockedBy(subject: string, obstruction: Obstruction | undefined, requests: number): Omission[] {
  const text = obstruction && obstructionText(obstruction, requests);
  return text === undefined ? [] : [{ code: 'blocked', subject, count: obstruction?.blocked ?? 1, text }];
}

/** A remark for a part of the scan that took longer than it had to. */
export const slowedText = (obstruction: Obstruction | undefined): string =>
  obstruction?.slowed === undefined ? '' : `requests were sent more slowly: ${obstruction.slowed}`;
