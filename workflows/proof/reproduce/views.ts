import { asItIs, printable, type ShellView } from '../subjects/views.ts';
import { rowOf } from '../subjects.ts';
import type { Performed } from '../trial.ts';

/** How an answer is shown, by what the step claims of it. */
export function viewOf({ step, observed }: Performed): ShellView {
  if (observed.kind !== 'http') return asItIs;
  const { body } = observed.exchange;
  for (const { subject } of step.expect) {
    const { row, rest = '' } = rowOf(subject) ?? {};
    if (row?.view) return row.view(body, rest);
  }
  return body.includes(0) ? printable : asItIs;
}
