import { ProbeError } from '../../probe/types.ts';
import type { Candidate, CheckContext, InputSurface } from '../contract.ts';
import { inTurns } from './in-turns.ts';
import { inParallel } from './parallel.ts';

/** What a look at one place gave: something to prove, or why it could not be looked at. */
export type Looked<D> = { found: D } | { failure: ProbeError };

/** What a check found there has at least these. */
type Place = { input: InputSurface; detail?: string };

const lanes = 4;

/**
 * Looks at each input in turns (see `inTurns`), up to so many, as long as the check's allowance lasts. One that gives no answer keeps the others from nothing: it becomes a candidate that cannot
 * be proven, so that its failure is told, and so do those that are left out.
 * @throws the signal's reason when it is aborted
 */
export async function lookAtEach<D extends Place>(
  { allowance }: Pick<CheckContext, 'allowance'>,
  given: readonly InputSurface[],
  maxInputs: number,
  look: (input: InputSurface) => Promise<D | undefined>,
): Promise<Candidate<Looked<D>>[]> {
  const ordered = inTurns(given);
  const inputs = ordered.slice(0, maxInputs);
  const left = ordered.slice(maxInputs);
  const looked = await inParallel(inputs, lanes, async (input): Promise<Looked<D> | undefined> => {
    if (allowance() <= 0) {
      left.push(input);
      return undefined;
    }
    try {
      const found = await look(input);
      return found && { found };
    } catch (error) {
      if (!(error instanceof ProbeError) || error.code === 'canceled') throw error;
      // What the org has excluded is left out on purpose.
      return error.code === 'out_of_scope' ? undefined : { failure: error };
    }
  });
  const candidates = looked.flatMap((data, index) => {
    const input = inputs[index];
    return data && input ? [candidateOf(input, data)] : [];
  });
  // What failed comes last, since a budget that is used up ends the proofs.
  return [
    ...candidates.toSorted((a, b) => Number(isFailure(a.data)) - Number(isFailure(b.data))),
    ...leftOut<D>(left, given.length),
  ];
}

function leftOut<D extends Place>(left: readonly InputSurface[], count: number): Candidate<Looked<D>>[] {
  const [first] = left;
  if (!first) return [];
  const message = `${left.length} of ${count} inputs were left out`;
  return [candidateOf(first, { failure: new ProbeError('budget_exhausted', message) })];
}

const isFailure = <D>(data: Looked<D> | undefined): boolean => data !== undefined && 'failure' in data;

function candidateOf<D extends Place>(input: InputSurface, data: Looked<D>): Candidate<Looked<D>> {
  const detail = 'found' in data ? data.found.detail : undefined;
  return {
    location: { url: input.url, method: input.method, parameter: input.parameter, parameterIn: input.in },
    route: input.route,
    ...(detail === undefined ? {} : { detail }),
    data,
  };
}

/** What was found at a candidate. @throws ProbeError when it could not be looked at */
export function foundAt<D>({ data }: Candidate<Looked<D>>): D | undefined {
  if (data && 'failure' in data) throw data.failure;
  return data?.found;
}
