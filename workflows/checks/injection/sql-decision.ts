import { type Assertion, claim, type Experiment, type HttpAction, type Step } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { shuffled } from '../../model/shuffled.ts';
import { newTrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { inputSteps, sendInput } from '../inputs/open-input.ts';
import type { Comparison } from './sql-comparisons.ts';

/** Sends an input a value, a template perhaps; a fresh answer is from no cache. */
export type Ask = (template: string, fresh?: boolean) => Promise<Exchange>;

export const askerOf =
  (context: CheckContext, input: OpenedInput, write: WriteAction = inputAction): Ask =>
  (template, fresh = false) =>
    sendInput(context, input, write(input, template), newTrialValues(context.nonce), { fresh });

/** Makes the request of a template. */
export type WriteAction = (input: OpenedInput, template: string) => HttpAction;

export type DecisionNotes = { usual: string; whenTrue: string; whenFalse: string; broken: string };

/** Something that a page shows when a comparison is true, and not when it is false; with notes for the reader. */
type SqlDecision = {
  input: OpenedInput;
  /** The site's own. */
  value: string;
  comparison: Comparison;
  status: number;
  whenTrue: Assertion[];
  whenFalse: Assertion[];
  notes: DecisionNotes;
  /** How a comparison is sent; in the place of the value by default. */
  write?: WriteAction;
};

/**
 * Twice each, the true and the false comparison decide. They come in an order that nobody can foresee, so that nothing that merely
 * alternates or wears off follows it. With a misspelt keyword the same words decide nothing.
 */
export function decisionExperiment({ write = inputAction, ...decision }: SqlDecision): Experiment {
  const { input, value, comparison, status, notes, ...claims } = decision;
  const shown = [claim('status', 'equals', String(status)), ...claims.whenTrue];
  const step = (template: string, note: string, expect: Assertion[], isShown?: true): Step[] =>
    inputSteps(input, write(input, template), { note, expect, ...(isShown && { isShown }) });
  const usual = step(value, notes.usual, shown);
  const order = shuffled([false, false, true, true]);
  // One of each kind shows a reader the difference.
  const isShown = (truth: boolean, index: number) => truth !== order.at(-1) && index === order.indexOf(truth);
  return {
    steps: [
      ...usual,
      ...order.flatMap((truth, index) => {
        const [number, mark] = [`‹int${index + 1}›`, isShown(truth, index) || undefined];
        return truth
          ? step(comparison.whenTrue(number), notes.whenTrue, shown, mark)
          : step(comparison.whenFalse(number), notes.whenFalse, claims.whenFalse, mark);
      }),
    ],
    control: [...usual, ...step(comparison.broken('‹int5›'), notes.broken, shown)],
  };
}
