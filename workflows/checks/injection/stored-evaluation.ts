import type { Candidate } from '../../model/candidate.ts';
import { type CaptureRule, claim, type Experiment, type Step } from '../../model/experiment.ts';
import type { CheckContext } from '../contract.ts';
import type { OpenedInput } from '../inputs/input-request.ts';
import { inputSteps } from '../inputs/open-input.ts';
import { stepsToEntry } from './entry-places.ts';
import { openedInput, type Sends, sendsLeft, sendsOfProof, stepFiller, stepInput, storingAction } from './plant.ts';
import type { EvaluatedField } from './stored-expressions.ts';
import type { StoringForm } from './storing-form.ts';

/** A field that was seen to be evaluated, and how often the forms were sent for that. */
export type Evaluation = { field: EvaluatedField; sends: Sends };

/** What the proof says of the language. */
type Wording = { stored: string; shown: string; storedInert: string };

/** @param vector CVSS 3.1, as for anybody; that of a test identity needs its account */
export function evaluatedCandidate(data: Evaluation, vector: string): Candidate<Evaluation> {
  const { form, parameter, sighting, expression } = data.field;
  const input = form.inputs.find((each) => each.parameter === parameter);
  const who = form.identity === '' ? 'Anybody' : `The test identity "${form.identity}"`;
  return {
    location: {
      url: input?.url ?? form.pageUrl,
      method: input?.method ?? 'POST',
      parameter,
      parameterIn: input?.in ?? ('body' as const),
    },
    ...(input ? { route: input.route } : {}),
    detail: `${who} stores the value, and ${sighting.url} shows it calculated. ${expression.detail}`,
    ...(form.identity === ''
      ? expression.cvss && { cvss: expression.cvss }
      : { cvss: (expression.cvss ?? vector).replace('/PR:N/', '/PR:L/') }),
    data,
  };
}

/** The experiment, unless its form would be sent too often. */
export async function evaluationExperiment(
  context: CheckContext,
  { field, sends }: Evaluation,
  wording: Wording,
): Promise<Experiment | undefined> {
  const { form, parameter } = field;
  if (sendsLeft(sends, form) < sendsOfProof) {
    const text = `${parameter}, whose expression was evaluated, was not proven: a form is sent 8 times at most`;
    context.leave({ code: 'guessed', count: 1, text });
    return undefined;
  }
  sends.set(form, (sends.get(form) ?? 0) + sendsOfProof);
  if (form.steps) return experimentFor(field, stepsSending(field, form.steps), wording);
  const input = await openedInput(context, form, parameter);
  return input && experimentFor(field, formSending(field, input), wording);
}

/** Steps that store a value. */
type Sending = (value: string, note: string) => Step[];

function formSending({ form, sighting, kept = [] }: EvaluatedField, input: OpenedInput): Sending {
  const sender = form.identity === '' ? {} : { identity: form.identity };
  const entry = stepsToEntry(form, sighting);
  const captures: CaptureRule[] = [...entry.captures, ...kept.flat().map(({ rule }) => rule)];
  return (value, note) => [
    ...inputSteps(input, storingAction(form, input, value), {
      note,
      expect: [claim('status', 'less-than', '500')],
      hasEffect: true,
      ...(captures.length > 0 && { capture: captures }),
    }).map((step) => ({ ...step, ...sender })),
    ...entry.steps,
  ];
}

function stepsSending({ parameter, kept = [] }: EvaluatedField, steps: readonly StoringForm[]): Sending {
  return (value, note) =>
    steps.flatMap((step, index): Step[] => {
      const input = stepInput(step, [parameter]);
      if (!input) return [];
      const isWanted = input.parameter === parameter;
      const action = storingAction(step, input, isWanted ? value : stepFiller);
      const headers = [...(action.headers ?? []), ...cookieHeader(kept.slice(0, index))];
      return inputSteps(
        input,
        { ...action, headers },
        {
          note: isWanted ? note : 'Another step of the form is sent in the same session.',
          expect: [claim('status', 'less-than', '500')],
          hasEffect: true,
          capture: (kept[index] ?? []).map(({ rule }) => rule),
        },
      );
    });
}

/** Of cookies with one name the last one counts. */
function cookieHeader(kept: NonNullable<EvaluatedField['kept']>): [string, string][] {
  const pairs = new Map(kept.flat().map(({ pair }) => [pair.replace(/=.*$/s, ''), pair]));
  return pairs.size === 0 ? [] : [['Cookie', [...pairs.values()].join('; ')]];
}

function experimentFor(
  { form, sighting, expression, kept = [] }: EvaluatedField,
  store: Sending,
  { stored, shown, storedInert }: Wording,
): Experiment {
  const entry = stepsToEntry(form, sighting);
  const cookies = cookieHeader(kept);
  const show = (result: string, note: string): Step => ({
    http: { url: entry.url, ...(cookies.length > 0 && { headers: cookies }) },
    ...(sighting.viewer === '' ? {} : { identity: sighting.viewer }),
    note,
    expect: [claim('body', 'contains', result, 'The product stands where the expression was.')],
  });
  return {
    steps: [...store(expression.value, stored), show(expression.result, shown)],
    control: [
      ...store(withOtherValues(expression.inert), storedInert),
      show(withOtherValues(expression.result), 'Nothing is calculated.'),
    ],
  };
}

/** A list of entries still shows the first product. */
const withOtherValues = (text: string): string =>
  text.replace(/\b(nonce|int)(\d?)(?=[›:])/g, (_, name, place) => `${name}${Number(place || 1) + 2}`);
