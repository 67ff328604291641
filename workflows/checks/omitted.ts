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

/** Omissions of one code are one, with the text of the first. */
export const united = (omitted: readonly Omitted[]): Omitted[] =>
  [...Map.groupBy(omitted, ({ code }) => code)].map(([code, alike]) => {
    const [first] = alike;
    const more = alike.length > 1 ? ` (and ${alike.length - 1} more)` : '';
    const places = [...new Set(alike.flatMap((each) => each.places ?? []))];
    return {
      ...{ code, count: alike.reduce((sum, { count }) => sum + count, 0), text: `${first?.text ?? ''}${more}` },
      ...(places.length > 0 ? { places } : {}),
    };
  });

/** Gaps first; empty when nothing was left out. */
export const omittedText = (omitted: readonly Omitted[]): string =>
  omitted
    .toSorted((a, b) => Number(isGap(b)) - Number(isGap(a)))
    .map(({ text }) => text)
    .join('; ');
