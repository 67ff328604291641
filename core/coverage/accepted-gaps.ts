import { create } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type AcceptedGap, AcceptedGapSchema, OmissionCodeSchema } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { enumValue, enumWord } from '../enum-words.ts';
import { invalid } from '../errors.ts';
import { isGap, ruleOf } from './omissions.ts';

/** An accepted gap as rows and the audit log have it. */
export type StoredGap = {
  /** Word of scanaudit.v1.OmissionCode. */
  code: string;
  reason: string;
  /** RFC 3339. */
  expiresAt?: string;
};

/** Those of a gate policy, also those that are no longer in force. */
export const acceptedGapsOf = (stored: readonly StoredGap[]): AcceptedGap[] =>
  stored.map(({ code, reason, expiresAt }) =>
    create(AcceptedGapSchema, {
      code: enumValue(OmissionCodeSchema, code),
      reason,
      ...(expiresAt !== undefined && { expiresAt: timestampFromDate(new Date(expiresAt)) }),
    }),
  );

/** What is stored of them, in the order of their codes. @throws Refusal INVALID_PARAMETER */
export function storedGapsOf(gaps: readonly AcceptedGap[]): StoredGap[] {
  const seen = new Set<number>();
  for (const gap of gaps) {
    const fault = seen.has(gap.code) ? 'is there twice' : faultOf(gap);
    const word = enumWord(OmissionCodeSchema, gap.code);
    if (fault !== undefined) throw invalid('INVALID_PARAMETER', 'gatePolicy.acceptedGaps', `"${word}" ${fault}`);
    seen.add(gap.code);
  }
  return gaps
    .toSorted((a, b) => a.code - b.code)
    .map(({ code, reason, expiresAt }) => ({
      code: enumWord(OmissionCodeSchema, code),
      reason,
      ...(expiresAt && { expiresAt: timestampDate(expiresAt).toISOString() }),
    }));
}

function faultOf({ code, reason, expiresAt }: AcceptedGap): string | undefined {
  if (!isGap(code)) return 'is a limit of the audit, which keeps no gate from passing';
  if (ruleOf(code).neverAccepted) return 'cannot be accepted: the target has to be looked at';
  if (reason.trim() === '') return 'is accepted without a reason';
  return expiresAt && timestampDate(expiresAt) <= new Date() ? 'has an end that has passed' : undefined;
}
