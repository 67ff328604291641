import { create, getOption } from '@bufbuild/protobuf';
import {
  type Omission,
  OmissionCode,
  OmissionCodeSchema,
  OmissionSchema,
} from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { OmissionKind, type OmissionRule, omission } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { enumValue } from '../enum-words.ts';
import type { OmissionRow } from './entities.ts';

/** What a code means, from its option in the contract. One that this version does not know is taken for a gap. */
export function ruleOf(code: OmissionCode): Pick<OmissionRule, 'kind' | 'one' | 'many' | 'neverAccepted'> {
  const value = OmissionCodeSchema.value[code];
  return value && code !== OmissionCode.UNSPECIFIED ? getOption(value, omission) : unknownRule;
}

const unknownRule = {
  kind: OmissionKind.GAP,
  one: 'something was left out for a reason that is not known',
  many: '{subjects} checks or parts of the audit were left out for reasons that are not known',
  neverAccepted: false,
};

export const isGap = (code: OmissionCode): boolean => ruleOf(code).kind !== OmissionKind.LIMIT;

export type OmissionFields = Pick<OmissionRow, 'code' | 'subject' | 'count' | 'text'>;

/** Gaps and limits, each in the order in which it was given. */
export function splitOmissions(rows: readonly OmissionFields[]): { gaps: Omission[]; limits: Omission[] } {
  const all = rows.map(({ code, subject, count, text }) =>
    create(OmissionSchema, { code: enumValue(OmissionCodeSchema, code), subject, count, text }),
  );
  return { gaps: all.filter(({ code }) => isGap(code)), limits: all.filter(({ code }) => !isGap(code)) };
}

type Counted = Pick<Omission, 'code' | 'count'>;

/** What was left out, those of one code together, for instance "17 forms and requests were not sent: they would write; …". */
export const omissionsText = (omissions: readonly Counted[]): string =>
  [...Map.groupBy(omissions, ({ code }) => code)]
    .toSorted(([a], [b]) => a - b)
    .map(([code, alike]) => phraseOf(code, alike))
    .join('; ');

function phraseOf(code: OmissionCode, alike: readonly Counted[]): string {
  const { one, many } = ruleOf(code);
  const sum = alike.reduce((total, { count }) => total + count, 0);
  if ((many.includes('{count}') ? sum : alike.length) === 1) return one;
  return many.replace('{count}', sum.toLocaleString('en')).replace('{subjects}', alike.length.toLocaleString('en'));
}

/** The coverage of a scan that has completed, in one sentence. */
export function coverageSummary(gaps: readonly Counted[], limits: readonly Counted[]): string {
  const limited = limits.length > 0 ? omissionsText(limits) : '';
  if (gaps.length > 0)
    return `Not complete: ${omissionsText(gaps)}.${limited === '' ? '' : ` Limits besides: ${limited}.`}`;
  return limited === '' ? 'Complete.' : `Complete, with limits: ${limited}.`;
}
