import { getOption } from '@bufbuild/protobuf';
import { OmissionCodeSchema } from '../../proto/gen/scanaudit/v1/coverage_pb.ts';
import { OmissionKind, omission } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { LoginError } from '../model/login-error.ts';
import { type OmissionWord, type Omitted, omissionCodeOf } from '../model/omission.ts';
import { ProbeError } from '../model/probe-error.ts';
import { RefusedError } from '../probe/gate/refusal.ts';
import { wordOf } from '../survey/left-out.ts';

const gapWords = new Set(
  OmissionCodeSchema.values
    .filter((value) => getOption(value, omission).kind === OmissionKind.GAP)
    .map(({ localName }) => localName.toLowerCase()),
);

/** The depth promises what was left out, so that nothing may be taken for clean. */
export const isGap = ({ code }: Pick<Omitted, 'code'>): boolean => gapWords.has(code);

/** What a failure left out. @param otherwise of a fault that neither the target nor a login has */
export function omissionCode(error: unknown, otherwise: OmissionWord = 'check_failed'): OmissionWord {
  if (error instanceof RefusedError) return wordOf(error.refusal) ?? 'would_act';
  if (error instanceof ProbeError) return omissionCodeOf(error.code, otherwise);
  if (error instanceof LoginError) return omissionCodeOf(`login_${error.failure}`, otherwise);
  return otherwise;
}

/** What a failure left out, with the place that the gate refused. */
export const omittedBy = (error: unknown, count: number, text: string): Omitted => ({
  ...{ code: omissionCode(error), count, text },
  ...(error instanceof RefusedError ? { places: [error.place] } : {}),
});

/** Of the texts of one omission, in characters. */
const maxTextsLength = 280;

/** Omissions of one code are one, with each of their texts once. Those beyond the limit are counted. */
export const united = (omitted: readonly Omitted[]): Omitted[] =>
  [...Map.groupBy(omitted, ({ code }) => code)].map(([code, alike]) => {
    const places = [...new Set(alike.flatMap((each) => each.places ?? []))];
    return {
      ...{ code, count: alike.reduce((sum, { count }) => sum + count, 0), text: joined(alike.map(({ text }) => text)) },
      ...(places.length > 0 ? { places } : {}),
    };
  });

function joined(all: readonly string[]): string {
  const [first = '', ...others] = new Set(all);
  let text = first.length <= maxTextsLength ? first : `${first.slice(0, maxTextsLength - 1)}…`;
  let left = 0;
  for (const other of others) {
    if (text.length + other.length <= maxTextsLength) text += `; ${other}`;
    else left += 1;
  }
  return left === 0 ? text : `${text} (and ${left} more)`;
}

/** Gaps first; empty when nothing was left out. */
export const omittedText = (omitted: readonly Omitted[]): string =>
  omitted
    .toSorted((a, b) => Number(isGap(b)) - Number(isGap(a)))
    .map(({ text }) => text)
    .join('; ');
