import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  Proof,
  ProofStep,
  ProofStepSchema,
  Assertion as StoredAssertion,
  Capture as StoredCapture,
} from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import {
  type Action,
  type Assertion,
  type CaptureRule,
  type Experiment,
  type Operator,
  operators,
  type Step,
} from '../model/experiment.ts';
import { observationOf, printable } from './evidence.ts';
import { isMasked, mask } from './mask.ts';
import type { Redactor } from './redact.ts';
import { actionOf } from './stored-action.ts';
import { asSubject } from './subjects.ts';
import type { Performed, Trial } from './trial.ts';

type StepInit = MessageInitShape<typeof ProofStepSchema>;

/** Room for what a step sends and claims. What does not fit is not kept, and such a proof cannot be run again. */
const maxTemplateBytes = 6_144;
/** Notes in a step's evidence on the values of its trial. */
const maxTrialValues = 12;

/** A performed step as it is kept: its templates, so that it can be run again, and beside them what was seen, redacted. */
export function storedStep(performed: Performed, trial: Trial, redactor: Redactor): StepInit {
  const { step, claims, observed, action, identity } = performed;
  const fit = newRoom(maxTemplateBytes);
  const clean = (text: string) => fit(printable(redactor.text(text)));
  return {
    action: storedAction(step, (name, value) => fit(printable(redactor.header(name, value))), clean),
    identity,
    assertions: step.expect.map(({ subject, operator, expected, note = '' }) => ({
      subject,
      operator,
      expected: clean(expected),
      note,
    })),
    captures: (step.capture ?? []).map(({ name, subject, pattern, secret = false }) => ({
      name,
      subject,
      pattern: clean(pattern),
      secret,
    })),
    observation: observationOf(observed, claims, redactor, {
      more: trialFields(step, action, trial, redactor),
      isPrivate: identity !== '' || ('http' in step && Boolean(step.http.secrets?.length)),
    }),
    note: step.note,
    write: 'http' in step && (step.http.write ?? step.http.lasting) !== undefined,
  };
}

/** Cutting would leave another request; so what no longer fits is left out as a whole. */
function newRoom(maxBytes: number): (text: string) => string {
  let left = maxBytes;
  return (text) => {
    const bytes = Buffer.byteLength(text);
    if (bytes > left) return mask(text);
    left -= bytes;
    return text;
  };
}

function storedAction(
  step: Step,
  cleanHeader: (name: string, value: string) => string,
  clean: (text: string) => string,
): NonNullable<StepInit['action']> {
  if ('http' in step) {
    const { method = 'GET', url, headers = [], logIn, copies = 0 } = step.http;
    // With its credentials masked, a proof that logs in cannot be run again from what is stored.
    const body = logIn === undefined ? (step.http.body ?? '') : mask('credentials');
    const fields = headers.map(([name, value]) => ({ name, value: cleanHeader(name, value) }));
    return { case: 'http', value: { method, url: clean(url), headers: fields, body: clean(body), copies } };
  }
  if ('tls' in step) {
    const { host, port, serverName = host, minVersion = '', maxVersion = '', reference = '' } = step.tls;
    return { case: 'tls', value: { host, port, serverName, minVersion, maxVersion, reference } };
  }
  if ('hello' in step) {
    const { host, serverName = host, compressions = ['null'], versions, suites, groups, signatures, port } = step.hello;
    const lists = { versions, suites, groups, signatures, compressions };
    const copies = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, [...list]]));
    return { case: 'hello', value: { host, port, serverName, ...copies } };
  }
  if ('dns' in step) return { case: 'dns', value: step.dns };
  if ('smtp' in step) return { case: 'smtp', value: step.smtp };
  if ('callback' in step) return { case: 'callback', value: step.callback };
  const { url, clicks = [], page = '' } = step.browser;
  return { case: 'browser', value: { url: clean(url), clicks, page: clean(page) } };
}

/** For the reader: the URL as it was sent and the values that stood in it. */
function trialFields(step: Step, action: Action, trial: Trial, redactor: Redactor): { name: string; value: string }[] {
  const used = JSON.stringify([step.expect, 'http' in step ? step.http : 'browser' in step ? step.browser : step]);
  const values = Object.entries(trial.values)
    .filter(([name]) => used.includes(`${name}›`) && !trial.secretNames.includes(name))
    .slice(0, maxTrialValues)
    .map(([name, value]) => ({ name: `‹${name}›`, value: redactor.text(value) }));
  const sent = 'http' in action ? action.http.url : 'browser' in action ? action.browser.url : undefined;
  return [...(sent === undefined ? [] : [{ name: 'request:url', value: redactor.text(sent) }]), ...values];
}

/**
 * The experiment of a stored proof, for running it again.
 * @returns the reason when it cannot be: a secret or a write that it needs is not kept
 */
export function experimentOf(proof: Proof): Experiment | { notReplayable: string } {
  const all = [...proof.steps, ...proof.control];
  if (all.some((step) => step.write)) return { notReplayable: 'A step of the proof changes the target.' };
  if (all.some(needsSecret)) return { notReplayable: 'A step of the proof needs a secret that is not kept.' };
  return { steps: proof.steps.map(stepOf), control: proof.control.map(stepOf) };
}

function needsSecret({ action, assertions, captures }: ProofStep): boolean {
  const sent =
    action.case === 'http'
      ? [action.value.url, action.value.body, ...action.value.headers.map(({ value }) => value)]
      : action.case === 'browser'
        ? [action.value.url, action.value.page]
        : [];
  return [...sent, ...assertions.map((a) => a.expected), ...captures.map((c) => c.pattern)].some(isMasked);
}

function stepOf(stored: ProofStep): Step {
  return {
    ...actionOf(stored.action),
    note: stored.note,
    expect: stored.assertions.map(assertionOf),
    ...(stored.identity === '' ? {} : { identity: stored.identity }),
    ...(stored.captures.length === 0 ? {} : { capture: stored.captures.map(captureOf) }),
  };
}

/** @throws UnknownSubject */
export const captureOf = ({ name, subject, pattern, secret }: StoredCapture): CaptureRule => ({
  ...{ name, subject: asSubject(subject), pattern, secret },
});

/** @throws TypeError, UnknownSubject */
export function assertionOf({ subject, operator, expected, note }: StoredAssertion): Assertion {
  if (!isOperator(operator)) throw new TypeError(`A stored claim has the unknown operator "${operator}".`);
  return { subject: asSubject(subject), operator, expected, ...(note === '' ? {} : { note }) };
}

const isOperator = (word: string): word is Operator => (operators as readonly string[]).includes(word);
