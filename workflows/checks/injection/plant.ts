import type { HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import { isFinal, ProbeError } from '../../model/probe-error.ts';
import type { InputSurface } from '../../model/surface.ts';
import { ChangedMeanwhile } from '../../proof/proof-error.ts';
import { newTrialValues, type TrialValues } from '../../proof/template.ts';
import type { CheckContext } from '../contract.ts';
import { inputAction, type OpenedInput } from '../inputs/input-request.ts';
import { documentOf, documentWithValue } from '../inputs/json-inputs.ts';
import { openInput, requestOfInput } from '../inputs/open-input.ts';
import { contextAs } from '../visitors/as-visitor.ts';
import { cookiesGiven } from './stored-reads.ts';
import type { StoringForm } from './storing-form.ts';

/** Rule of the audit: what writes is sent so often for each form, proofs included. */
const maxSends = 8;

/** Two trials with their controls. */
export const sendsOfProof = 4;

/** What the application refuses it keeps nothing of, so that it counts for a part of what is kept. Source: RFC 9110 §15.5. */
export const isRefused = ({ status }: Exchange): boolean => [400, 403, 406, 413, 422].includes(status);
const shareOfRefused = 1 / 4;

/** How often each form was sent. */
export type Sends = Map<StoringForm, number>;

export const sendsLeft = (sends: Sends, form: StoringForm): number => maxSends - (sends.get(form) ?? 0);

/** The context in which an identity sends and looks; nobody's is the check's own. */
export function contextOf(context: CheckContext, identity: string): CheckContext {
  const known = context.identities[identity];
  return known ? contextAs(context, known, context.surfaces[identity] ?? context.surface) : context;
}

/** One of the form's inputs as it is sent now, with values in some of the others. */
export async function openedInput(
  context: CheckContext,
  form: StoringForm,
  parameter: string,
  values: ReadonlyMap<string, string> = new Map(),
): Promise<OpenedInput | undefined> {
  const input = form.inputs.find((each) => each.parameter === parameter);
  if (!input) return undefined;
  const others = input.others.map(({ name, value }) => ({ name, value: values.get(name) ?? value }));
  return openInput(contextOf(context, form.identity), { ...input, others });
}

/** The request with a value, and how it is described and undone. */
export function storingAction(form: StoringForm, input: OpenedInput, value: string): HttpAction {
  const action = inputAction(input, value);
  const stored = `A text of the audit is stored by ${input.parameter} of ${new URL(input.url).pathname}`;
  const description = `${stored}.`;
  return form.plan
    ? {
        ...action,
        write: { description: `${stored}, in the place of what "${form.identity}" had there.`, ...form.plan },
      }
    : { ...action, lasting: { description, place: form.pageUrl, ...(form.opensAccount && { registers: true }) } };
}

/**
 * Sends a form once with values of ours, and looks at what became of it before it is taken back.
 * @throws ProbeError, ProofError
 */
export async function plant<T>(
  context: CheckContext,
  { form, sends }: { form: StoringForm; sends: Sends },
  given: ReadonlyMap<string, string>,
  look: (answer: Exchange, answers: readonly Exchange[]) => Promise<T>,
  values: TrialValues = newTrialValues(context.nonce),
): Promise<T | undefined> {
  if (form.steps) {
    sends.set(form, (sends.get(form) ?? 0) + 1);
    return plantSteps(context, form.steps, given, look, values);
  }
  const [first, ...others] = given;
  const input = first && (await openedInput(context, form, first[0], new Map(others)));
  if (!first || !input || !context.store) return undefined;
  const filled = withAll(input, form, others);
  const sender = contextOf(context, form.identity);
  const request = await requestOfInput(sender, filled, storingAction(form, filled, first[1]), values);
  const before = sends.get(form) ?? 0;
  sends.set(form, before + 1);
  const seen = (answer: Exchange): Promise<T> => {
    if (isRefused(answer)) sends.set(form, before + shareOfRefused);
    return look(answer, [answer]);
  };
  // What a link carries, or a header, is sent to every page by checks that store nothing.
  return input.method === 'GET'
    ? seen(
        await sender.http.send({ url: request.url, ...(request.headers && { headers: request.headers }), fresh: true }),
      )
    : context.store(form.identity, request, seen).catch((error: unknown) => {
        const text = `a change by ${form.pageUrl} was not sent: another one had changed the same thing`;
        if (error instanceof ChangedMeanwhile) context.leave({ code: 'would_write', count: 1, text });
        throw error;
      });
}

/**
 * Sends forms one after the other, each with the cookies that those before have given.
 * @param answers of the steps that were sent already
 * @throws ProbeError, ProofError
 */
export async function plantSteps<T>(
  context: CheckContext,
  steps: readonly StoringForm[],
  given: ReadonlyMap<string, string>,
  look: (answer: Exchange, answers: readonly Exchange[]) => Promise<T>,
  values: TrialValues = newTrialValues(context.nonce),
  answers: readonly Exchange[] = [],
): Promise<T | undefined> {
  const [step, last] = [steps[answers.length], answers.at(-1)];
  if (!step) return last && look(last, answers);
  const input = stepInput(step, [...given.keys()]);
  if (!input || !context.store) return undefined;
  const others = input.others.map(({ name, value }) => ({ name, value: given.get(name) ?? value }));
  const value = given.get(input.parameter) ?? stepFiller;
  const filled = { ...input, others };
  const request = await requestOfInput(context, filled, storingAction(step, filled, value), values);
  const sent = { ...request, headers: [...(request.headers ?? []), ...cookiesGiven(...answers)] };
  return context.store('', sent, (answer) => plantSteps(context, steps, given, look, values, [...answers, answer]));
}

/** What a step is sent with that gets no value of the check's own. */
export const stepFiller = '‹nonce6›';

/** The input by which a step is sent: one that gets a value, else one that takes any. */
export const stepInput = ({ inputs, addresses }: StoringForm, given: readonly string[]): InputSurface | undefined =>
  inputs.find(({ parameter }) => given.includes(parameter)) ??
  inputs.find(({ parameter }) => !Object.hasOwn(addresses, parameter));

/** What the gate refuses, nobody answers or could not be put back costs its own form alone. Undefined for that. */
export async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return undefined;
    if (!(error instanceof ProbeError) || isFinal(error)) throw error;
    return undefined;
  }
}

/** JSON and XML have all their values in one text. */
function withAll(input: OpenedInput, form: StoringForm, values: readonly (readonly [string, string])[]): OpenedInput {
  const body = values.reduce((text, [name, value]) => {
    const place = form.inputs.find(({ parameter }) => parameter === name);
    return place && text !== undefined ? documentWithValue(place, value, text) : text;
  }, documentOf(input));
  if (body === undefined) return input;
  return {
    ...input,
    ...(input.json ? { json: { ...input.json, body } } : {}),
    ...(input.xml ? { xml: { ...input.xml, body } } : {}),
  };
}
