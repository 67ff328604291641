import { randomInt } from 'node:crypto';
import { callbackAnswer } from '../../kit/callback-answer.ts';
import type { Action, Assertion, CaptureRule, HttpAction, WritePlan } from '../model/experiment.ts';
import { javaSets } from '../model/java-sets.ts';
import { shuffled } from '../model/shuffled.ts';
import { bytesOfText } from '../model/wire-bytes.ts';
import { type ArchiveFormat, archiveFormats, archiveOf, entriesIn, mapEntry } from './archives.ts';
import { phpValue, writtenValue } from './encoded-value.ts';
import { escapePattern } from './pattern.ts';
import { asSubject } from './subjects.ts';

/** Values of one trial: nonces, numbers and delays are made when first asked for, captured values are added as they come. */
export type TrialValues = {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  /** Everything made or captured so far. */
  all(): Record<string, string>;
};

/** Delays of one trial, in seconds, which come in random order. Two are none, so that the page without a delay is seen twice. */
const delaySteps = [0, 0, 1, 2] as const;

const reference = /‹([A-Za-z][\w-]*(?::[\w-]+)*)›/g;

/** @param token makes those of callbacks, where there is a listener for them */
export function newTrialValues(nonce: () => string, token?: () => string): TrialValues {
  const { set, get: known, all } = newCapturedValues();
  const delays = shuffled(delaySteps);
  const make = (name: string): string | undefined => {
    if (/^nonce\d{0,3}$/.test(name)) return nonce();
    if (token && /^callback\d{0,3}$/.test(name)) return token();
    if (/^int\d{0,3}$/.test(name)) return String(randomInt(1_000, 10_000));
    if (/^octet\d{0,3}$/.test(name)) return String(randomInt(1, 255));
    const [, isLong, place] = /^(long)?delay([1-4])$/.exec(name) ?? [];
    const delay = delays[Number(place) - 1];
    return delay === undefined ? undefined : String(isLong ? 2 * delay : delay);
  };
  return {
    get(name) {
      const value = known(name) ?? make(name);
      if (value !== undefined) set(name, value);
      return value;
    },
    set,
    all,
  };
}

/** Values that were captured, and no others. */
export function newCapturedValues(): TrialValues {
  const values = new Map<string, string>();
  return {
    get: (name) => values.get(name),
    set: (name, value) => void values.set(name, value),
    all: () => Object.fromEntries(values),
  };
}

/**
 * Puts a trial's values into a template. `‹product:a:b›` is a product, `‹sum:a:100›` a value and a number, `‹encode:a›` is percent-encoded, and
 * `‹base64:…›` the base64 of a template (see `inBase64`; `‹base64-percent:…›` percent-encoded), `‹zip:…›`, `‹tar:…›` and `‹targz:…›` an archive of templates (see `inArchive`), `‹java:5000:a:HashSet›` an object
 * of Java that takes so many turns for each second (see `inJava`).
 * A reference to a name that nobody gave stays as it is: text of the target may look like one.
 */
export function fill(
  template: string,
  values: TrialValues,
  spell: (value: string) => string = (value) => value,
): string {
  return template.replace(reference, (whole: string, path: string) => {
    const [head = '', ...names] = path.split(':');
    const value = names.length === 0 ? values.get(head) : apply(head, names, values);
    return value === undefined ? whole : spell(value);
  });
}

/**
 * A reference that is filled with the base64 of a text, which may have references in it. Spaces behind the text spare it "=", and ASCII
 * without ">", "?" and "~" has neither "+" nor "/", so that forms, cookies and addresses take it as it is.
 */
export const inBase64 = (template: string): string => `‹base64:${Buffer.from(template).toString('base64url')}›`;

/** The same for a text with any signs, percent-encoded, as forms and addresses have it. */
export const inEncodedBase64 = (template: string): string => inBase64(template).replace(':', '-percent:');

function base64Of(template: string, values: TrialValues): string {
  const text = bytesOfText(fill(Buffer.from(template, 'base64url').toString(), values));
  return Buffer.concat([text, Buffer.alloc((3 - (text.length % 3)) % 3, ' ')]).toString('base64');
}

/** A reference that is filled with the base64 of `javaSets`, percent-encoded where forms and addresses have it. @param seconds or a reference */
export const inJava = (turns: number, seconds: string, name: string, isPercentEncoded: boolean): string =>
  `‹${isPercentEncoded ? 'java-percent' : 'java'}:${turns}:${seconds.replace(/[‹›]/g, '')}:${name}›`;

function javaOf(
  operation: string,
  [turns, seconds = '', name = '']: string[],
  values: TrialValues,
): string | undefined {
  const given = /^\d+$/.test(seconds) ? seconds : values.get(seconds);
  if (given === undefined) return undefined;
  const text = javaSets(Number(turns), Number(given), name);
  return operation === 'java' ? text : encodeURIComponent(text);
}

const packed = (format: ArchiveFormat, encoded: string, values: TrialValues): string | undefined =>
  archiveOf(
    format,
    entriesIn(encoded)?.map((entry) => mapEntry(entry, (text) => fill(text, values))),
  );

function apply(operation: string, names: string[], values: TrialValues): string | undefined {
  if (operation === 'base64' && names.length === 1) return base64Of(names[0] ?? '', values);
  if (operation === 'base64-percent' && names.length === 1) return encodeURIComponent(base64Of(names[0] ?? '', values));
  const format = archiveFormats.find((each) => each === operation);
  if (format && names.length === 1) return packed(format, names[0] ?? '', values);
  if (operation === 'java' || operation === 'java-percent') return javaOf(operation, names, values);
  if (operation === 'php-text') return phpValue(names, (text) => fill(text, values));
  if (operation.startsWith('written')) return writtenValue(operation, names, (text) => fill(text, values));
  const given = names.map((name) => values.get(name));
  const [first] = given;
  if (operation === 'encode' && names.length === 1) return first === undefined ? undefined : encodeURIComponent(first);
  if (operation === 'sum' && names.length === 2 && first !== undefined) return String(Number(first) + Number(names[1]));
  if (operation === 'answer' && names.length === 1) return first === undefined ? undefined : callbackAnswer(first);
  if (operation !== 'product' || given.includes(undefined)) return undefined;
  return String(given.reduce((product, factor) => product * BigInt(factor ?? 0), 1n));
}

/** The action of a step with a trial's values in every string. */
export function fillAction(step: Action, values: TrialValues): Action {
  const put = (template: string) => fill(template, values);
  if ('http' in step) return { http: fillHttp(step.http, values) };
  if ('tls' in step) {
    const { host, serverName } = step.tls;
    return {
      tls: { ...step.tls, host: put(host), ...(serverName === undefined ? {} : { serverName: put(serverName) }) },
    };
  }
  if ('hello' in step) {
    const { host, serverName } = step.hello;
    const name = serverName === undefined ? {} : { serverName: put(serverName) };
    return { hello: { ...step.hello, host: put(host), ...name } };
  }
  if ('smtp' in step) return { smtp: { host: put(step.smtp.host) } };
  if ('dns' in step) return { dns: { ...step.dns, name: put(step.dns.name) } };
  if ('callback' in step) return { callback: { ...step.callback, token: put(step.callback.token) } };
  const { url, clicks, page } = step.browser;
  return {
    browser: {
      url: put(url),
      ...(clicks ? { clicks: clicks.map(put) } : {}),
      ...(page === undefined ? {} : { page: put(page) }),
    },
  };
}

function fillHttp(action: HttpAction, values: TrialValues): HttpAction {
  const put = (template: string) => fill(template, values);
  const {
    method,
    url,
    headers,
    body,
    secrets,
    invented,
    forged,
    logIn,
    write,
    lasting,
    asRegistered,
    ofLogin,
    copies,
  } = action;
  return {
    ...fillRequest({ method, url, headers, body }, put),
    ...(secrets ? { secrets: secrets.map(put) } : {}),
    ...(invented ? { invented: invented.map(put) } : {}),
    ...(forged ? { forged } : {}),
    ...(logIn === undefined ? {} : { logIn }),
    ...(write ? { write: fillWrite(write, values) } : {}),
    ...(asRegistered ? { asRegistered } : {}),
    ...(ofLogin ? { ofLogin } : {}),
    ...(copies === undefined ? {} : { copies }),
    ...(lasting ? { lasting: { ...lasting, description: put(lasting.description), place: put(lasting.place) } } : {}),
  };
}

/** What the undo reads afresh stays a reference, whatever the trial has captured under that name. */
function fillWrite({ description, identity, undo, verify }: WritePlan, values: TrialValues): WritePlan {
  const later = new Set(undo.fresh?.capture.map(({ name }) => name));
  const known = { ...values, get: (name: string) => (later.has(name) ? undefined : values.get(name)) };
  const put = (template: string) => fill(template, known);
  const [first, ...others] = verify.expect;
  const expect: WritePlan['verify']['expect'] = [
    fillAssertion(first, known),
    ...others.map((assertion) => fillAssertion(assertion, known)),
  ];
  return {
    description: put(description),
    ...(identity === undefined ? {} : { identity }),
    undo: {
      ...fillRequest(undo, put),
      method: undo.method,
      ...(undo.fresh
        ? { fresh: { url: put(undo.fresh.url), capture: undo.fresh.capture.map((rule) => fillCapture(rule, known)) } }
        : {}),
    },
    verify: { ...verify, url: put(verify.url), expect },
  };
}

type RequestTemplate = {
  method?: string | undefined;
  url: string;
  headers?: HttpAction['headers'] | undefined;
  body?: string | undefined;
};

/** A request with everything put in. */
export function fillRequest(
  { method, url, headers, body }: RequestTemplate,
  put: (template: string) => string,
): HttpAction {
  return {
    url: put(url),
    ...(method === undefined ? {} : { method }),
    ...(headers ? { headers: headers.map(([name, value]) => [put(name), put(value)] as const) } : {}),
    ...(body === undefined ? {} : { body: put(body) }),
  };
}

/** A claim with a trial's values; in a pattern they stand for themselves, whatever characters they have. */
export function fillAssertion(assertion: Assertion, values: TrialValues): Assertion {
  const isPattern = assertion.operator === 'matches' || assertion.operator === 'not-matches';
  return {
    ...assertion,
    subject: asSubject(fill(assertion.subject, values)),
    expected: fill(assertion.expected, values, isPattern ? escapePattern : undefined),
  };
}

export const fillCapture = (rule: CaptureRule, values: TrialValues): CaptureRule => ({
  ...rule,
  subject: asSubject(fill(rule.subject, values)),
  pattern: fill(rule.pattern, values, escapePattern),
});
