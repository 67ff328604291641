import type { Candidate } from '../../model/candidate.ts';
import { budgetAdvice, type OmissionWord, type Omitted } from '../../model/omission.ts';
import { ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import { wasOrWere } from '../../model/words.ts';
import type { CheckContext, Sampled } from '../contract.ts';
import { cookieReaders } from '../inputs/cookie-readers.ts';
import { withDecodedCookies } from '../inputs/decoded-cookies.ts';
import { fieldNames } from '../inputs/field-names.ts';
import { formRows } from '../inputs/form-rows.ts';
import { inTurns } from '../inputs/in-turns.ts';
import { kindsOf } from '../inputs/input-kinds.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { tailsOf } from '../inputs/input-tails.ts';
import { wordGroups } from '../inputs/input-words.ts';
import { lookedBefore } from '../inputs/looked-before.ts';
import { inParallel } from '../inputs/parallel.ts';
import { withoutIgnored } from '../inputs/reactions.ts';
import { omittedBy } from '../omitted.ts';
import { type Alike, fewInputs, handledAlike } from './handled-alike.ts';
import { withOtherBehaviours } from './other-behaviours.ts';

/** What a check found there has at least these. */
type InputPlace = { input: InputSurface; detail?: string; cvss?: string };

type LookContext = Pick<
  CheckContext,
  'allowance' | 'checkId' | 'http' | 'nonce' | 'runId' | 'shownBefore' | 'visitor' | 'writes'
> & {
  surface: Pick<CheckContext['surface'], 'pages' | 'choices'> & Partial<Pick<CheckContext['surface'], 'inputs'>>;
} & Partial<Pick<CheckContext, 'leave'>>;

const width = 4;
/** Of inputs of one kind so many are looked at, however many there are. */
const usualMostOfKind = 25;
type Effort = { mostOfKind: number; isCheap?: boolean };
/** The same for checks that take many requests for each. */
export const fewOfKind: Effort = { mostOfKind: 6 };
/** For checks that take hardly more requests than it does to see which inputs are handled alike. */
export const cheapLook: Effort = { mostOfKind: usualMostOfKind, isCheap: true };
/** Rows of a form. */
const enoughRows = 2;
/** So many of them stand for the others. */
const enoughOfKind = 5;
/** The same for a page that the site has under each of its things, or in each of some views, however small the site is. */
const enoughOfTail = 3;

/**
 * Looks at each input in turns (see `inTurns`), up to so many, as long as the check's allowance lasts. One that gives no answer
 * keeps the others from nothing, and is reported. What is left out is counted, by whether enough of its kind were looked at.
 */
export async function lookAtEach<D extends InputPlace>(
  context: LookContext,
  folded: readonly InputSurface[],
  maxInputs: number,
  look: (input: OpenedInput) => Promise<D | undefined>,
  { mostOfKind, isCheap = false }: Effort = { mostOfKind: usualMostOfKind },
): Promise<Sampled<D>> {
  const read = await withoutIgnored(context, folded);
  const named = await fieldNames(context, read);
  const readers = await cookieReaders(context, read);
  const seen = [...(await withOtherBehaviours(context, read)), ...readers, ...named];
  const given = await withDecodedCookies(context, seen);
  const kinds = kindsOf(given, context.surface.pages);
  const kindOf = (input: InputSurface): string => kinds.get(input) ?? '';
  const rows = given.length <= fewInputs ? [] : formRows(given);
  const tails = new Map([
    ...[...rows].map(([input, name]): [InputSurface, Alike] => [input, { name, enough: enoughRows }]),
    ...namedOf(tailsOf(given, context.surface.pages)),
    ...namedOf(wordGroups(given, context.surface)),
    ...(isCheap ? [] : await handledAlike(context, given, enoughOfTail)),
  ]);
  const ofKind = given.length <= fewInputs ? fewInputs : mostOfKind;
  const [ofTails, ofThings] = firstOf(inTurns(given), (input) => tails.get(input));
  const { inputs, left } = chosen(ofTails, kindOf, { maxInputs, mostOfKind: ofKind });
  left.push(...ofThings);
  const unpaid: InputSurface[] = [];
  const failed: Omitted[] = [];
  const lookOnce = lookedBefore(context, look);
  const timesOfKind = new Map<string | undefined, number>();
  const count = (kind: string | undefined) => timesOfKind.set(kind, (timesOfKind.get(kind) ?? 0) + 1);
  const looked = await inParallel(inputs, width, async (input): Promise<D | undefined> => {
    if (context.allowance() <= 0) {
      unpaid.push(input);
      return undefined;
    }
    try {
      const found = await lookOnce(input);
      for (const kind of [kindOf(input), tails.get(input)?.name]) count(kind);
      return found;
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      failed.push(omittedBy(error, 1, `${error.code} at ${input.url}: ${error.message}`));
      return undefined;
    }
  });
  const candidates = looked.flatMap((data, index) => {
    const input = inputs[index];
    return data && input ? [candidateOf(input, data)] : [];
  });
  const isSpokenFor = (input: InputSurface): boolean => {
    const { name, enough = 0 } = tails.get(input) ?? {};
    return (
      (timesOfKind.get(kindOf(input)) ?? 0) >= enoughOfKind ||
      (name !== undefined && (timesOfKind.get(name) ?? 0) >= enough)
    );
  };
  const alike = [...left, ...unpaid].filter(isSpokenFor);
  return {
    candidates,
    omitted: [
      ...failed,
      ...omittedOf('alike', alike, given, 'not tried one by one: enough of the same kind were'),
      ...omittedOf(
        'too_many',
        left.filter((input) => !isSpokenFor(input)),
        given,
        `not tried: the check tries ${maxInputs} at most, and ${mostOfKind} of a kind`,
      ),
      ...omittedOf(
        'budget',
        unpaid.filter((input) => !isSpokenFor(input)),
        given,
        `not tried: the check's part of the budget was used up. ${budgetAdvice}`,
      ),
    ],
  };
}

const omittedOf = (
  code: OmissionWord,
  inputs: readonly InputSurface[],
  given: readonly InputSurface[],
  what: string,
): Omitted[] =>
  inputs.length === 0
    ? []
    : [
        {
          code,
          count: inputs.length,
          text: `${inputs.length} of ${given.length} inputs ${wasOrWere(inputs.length)} ${what}`,
        },
      ];

const namedOf = (tails: ReadonlyMap<InputSurface, string>): [InputSurface, Alike][] =>
  [...tails].map(([input, name]) => [input, { name, enough: enoughOfTail }]);

/** The first of each page that a site has under each of its things, with all other inputs, in their order; and the rest. */
function firstOf(
  ordered: readonly InputSurface[],
  tailOf: (input: InputSurface) => Alike | undefined,
): [first: InputSurface[], rest: InputSurface[]] {
  const members = Map.groupBy(ordered, (input) => tailOf(input)?.name);
  members.delete(undefined);
  const beyond = ([first, ...others]: readonly InputSurface[]): InputSurface[] =>
    first ? others.slice((tailOf(first)?.enough ?? 1) - 1) : [];
  const rest = new Set([...members.values()].flatMap(beyond));
  return [ordered.filter((input) => !rest.has(input)), [...rest]];
}

/** The first of each kind, in their order, and what is left of them. */
function chosen(
  ordered: readonly InputSurface[],
  kindOf: (input: InputSurface) => string,
  { maxInputs, mostOfKind }: { maxInputs: number; mostOfKind: number },
) {
  const counts = new Map<string, number>();
  const inputs: InputSurface[] = [];
  const left: InputSurface[] = [];
  for (const input of ordered) {
    const count = counts.get(kindOf(input)) ?? 0;
    counts.set(kindOf(input), count + 1);
    (count < mostOfKind && inputs.length < maxInputs ? inputs : left).push(input);
  }
  return { inputs, left };
}

function candidateOf<D extends InputPlace>(input: InputSurface, data: D): Candidate<D> {
  const { detail, cvss } = data;
  return {
    location: { url: input.url, method: input.method, parameter: input.parameter, parameterIn: input.in },
    route: input.route,
    ...(input.isNumbered ? { isApart: true as const } : {}),
    ...(detail === undefined ? {} : { detail }),
    ...(cvss === undefined ? {} : { cvss }),
    data,
  };
}
