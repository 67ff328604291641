import { claim, type Experiment, type Step } from '../../model/experiment.ts';
import { ProbeError } from '../../model/probe-error.ts';
import { fill, newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';

/** A value that gives a result when something evaluates it: what stands nowhere in the request. */
export type Computed = { value: string; result: string };

/** The first of the values whose result the page shows. @throws ProbeError */
export async function computedBy<T extends Computed>(
  context: CheckContext,
  input: OpenedInput,
  candidates: readonly T[],
): Promise<T | undefined> {
  for (const candidate of candidates) {
    const values = newTrialValues(context.nonce);
    const action = inputAction(input, candidate.value);
    const exchange = await sendInput(context, input, action, values, { fresh: true }).catch(unlessBroken);
    if (exchange?.text.includes(fill(candidate.result, values))) return candidate;
  }
  return undefined;
}

/** @param control the same with the cause taken away */
export function computedExperiment(
  input: OpenedInput,
  { value, result }: Computed,
  control: string,
  notes: { computed: string; result: string; control: string },
): Experiment {
  const step = (sent: string, note: string): Step[] =>
    inputSteps(input, inputAction(input, sent), { note, expect: [claim('body', 'contains', result, notes.result)] });
  return { steps: step(value, notes.computed), control: step(control, notes.control) };
}

/** A line break in a value may break the answer to it alone: other values can be tried. */
export function unlessBroken(error: unknown): undefined {
  if (error instanceof ProbeError && error.code === 'protocol_error') return undefined;
  throw error;
}
