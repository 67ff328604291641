import { type Assertion, claim, type Experiment, type Step } from '../../model/experiment.ts';
import { shuffled } from '../../model/shuffled.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { type FieldOperator, sentText } from './filter-dialects.ts';
import { filteringAction } from './filtered-lists.ts';
import type { HiddenLookup } from './lookup-search.ts';

/** What no field is called. */
const unknownField = 'x‹nonce2›';
/** As operators take it. */
const sentTexts = [sentText, `${sentText}%`, `^${sentText}`, `like.${sentText}*`];

/**
 * Twice each, in an order that nobody can foresee, a condition on the hidden field that every text fulfils and one that none does; then
 * the same with an operator that nothing knows, and, as the control, on a field that nothing has.
 */
export function lookupExperiment(lookup: HiddenLookup): Experiment {
  const { dialect, operators, field, status, markers, range } = lookup;
  const isStatus = claim('status', 'equals', String(status));
  const shown = [isStatus, ...markers.map((marker) => claim('body', 'contains', marker))];
  const lacking = markers.map((marker) => claim('body', 'not-contains', marker));
  const step = (path: readonly string[], operator: FieldOperator, note: string, expect: Assertion[], isShown?: true) =>
    sent(lookup, [{ dialect, conditions: [{ path, ...operator }] }], { note, expect, ...(isShown && { isShown }) });
  const usual = sent(lookup, [], { note: 'The list without a condition.', expect: shown });
  const name = field.path.join('.');
  const all = (isShown?: true): Step[] =>
    step(
      field.path,
      operators.all,
      `Every text in ${name} fulfils this condition: the entries are listed.`,
      shown,
      isShown,
    );
  const none = (isShown?: true): Step[] =>
    step(field.path, operators.none, `No text in ${name} fulfils this one: they are not.`, lacking, isShown);
  const order = shuffled([false, false, true, true]);
  // One of each shows a reader the difference.
  const decided = order.flatMap((isAll, index) => (isAll ? all : none)(order.indexOf(isAll) === index || undefined));
  const misspelt =
    lookup.unknownOperator === 'ignored'
      ? step(field.path, operators.misspelt.none, 'An operator that nothing knows leaves the list as it is.', shown)
      : step(field.path, operators.misspelt.all, 'With an operator that nothing knows nothing is listed.', lacking);
  const [marker = ''] = markers;
  const from = range?.operators.from;
  const narrowed =
    range && from
      ? [
          ...step(field.path, from(range.from), `The text of this entry is not before "${range.from}".`, [
            isStatus,
            claim('body', 'contains', marker),
          ]),
          ...step(field.path, from(range.to), `It is before "${range.to}": further questions would spell it out.`, [
            claim('body', 'not-contains', marker),
          ]),
        ]
      : [];
  const unknown =
    lookup.unknownField === 'ignored'
      ? step(
          [unknownField],
          operators.none,
          'A condition on a field that nothing has leaves the list as it is.',
          lacking,
        )
      : step([unknownField], operators.all, 'With a condition on a field that nothing has nothing is listed.', shown);
  return { steps: [...usual, ...decided, ...misspelt, ...narrowed], control: [...usual, ...unknown] };
}

const sent = (
  { list }: HiddenLookup,
  written: Parameters<typeof filteringAction>[1],
  step: Omit<Step, 'http'>,
): Step[] => {
  const action = { ...filteringAction(list, written), invented: sentTexts };
  return list.input ? inputSteps(list.input, action, step) : [{ ...step, http: action }];
};
