import type { CookieJar, Exchange, HeaderList, Probes } from '../probe/types.ts';
import { holds } from './assertions.ts';
import type { Action, Assertion, Experiment, HttpAction, Step } from './experiment.ts';
import { observe, type Session, sessionSecrets } from './observe.ts';
import { firstMatch } from './pattern.ts';
import { plantCookies } from './session-cookies.ts';
import { type Observed, subjectValue } from './subjects.ts';
import { fillAction, fillAssertion, fillCapture, newTrialValues, type TrialValues } from './template.ts';

/** A request that will change the target, told before it is sent. */
export type PlannedWrite = {
  /** What changes, in one sentence. */
  description: string;
  /** "" is anonymous. */
  identity: string;
  request: HttpAction;
  /** The request that takes it back. */
  undo: HttpAction;
};

/** What the engine needs of a run. */
export type ProofContext = Probes & {
  /** Sessions by identity's name. */
  identities: Readonly<Record<string, Session>>;
  /** Random lower-case letters and digits, starting with a letter. */
  nonce(): string;
  now(): Date;
  signal: AbortSignal;
  /** Called before each step that changes the target; when it fails nothing is sent. Without it such steps are refused. */
  recordWrite?: (write: PlannedWrite) => Promise<void>;
  /** Logs an identity in anew, into this jar. Without it steps that log in are refused. */
  logIn?: (identity: string, jar: CookieJar) => Promise<NewSession>;
};

/** A session that was just made: headers to send with its requests, and the answer to the credentials. */
export type NewSession = { headers: HeaderList; answer: Exchange };

/** A step as it was performed. `identity` is whose session it had. */
export type Performed = { step: Step; action: Action; claims: Assertion[]; observed: Observed; identity: string };

export type Trial = {
  steps: Performed[];
  control: Performed[];
  values: Record<string, string>;
  /** Names of captured values that are secret. */
  secretNames: string[];
  /** Values of the cookies and headers of the trial's own sessions. */
  sessionSecrets: string[];
};

/** The experiment itself is wrong, or the run lacks what it needs. It says nothing about the target. */
export class ProofError extends Error {
  override name = 'ProofError';
}

/**
 * Performs an experiment once: all claims of the steps hold, those of the control's last step do not.
 * @returns the reason when that is not so
 * @throws ProbeError, ProofError
 */
export async function runTrial(context: ProofContext, experiment: Experiment): Promise<Trial | { refuted: string }> {
  const run: Run = {
    context,
    values: newTrialValues(context.nonce),
    secretNames: new Set(),
    sessions: new Map(),
    sessionSecrets: new Set(),
  };
  const steps: Performed[] = [];
  for (const step of experiment.steps) {
    const { performed, failure } = await runStep(run, step);
    if (failure) return { refuted: `"${step.note}": ${failure}` };
    steps.push(performed);
  }
  const control: Performed[] = [];
  for (const [index, step] of experiment.control.entries()) {
    const { performed, failure } = await runStep(run, step);
    const isLast = index === experiment.control.length - 1;
    if (failure && !isLast) return { refuted: `control "${step.note}": ${failure}` };
    if (!failure && isLast) return { refuted: `control "${step.note}": it holds without the cause too` };
    control.push(performed);
  }
  const secrets = { secretNames: [...run.secretNames], sessionSecrets: [...run.sessionSecrets] };
  return { steps, control, values: run.values.all(), ...secrets };
}

type OwnSession = Session & { identity: string };

type Run = {
  context: ProofContext;
  values: TrialValues;
  secretNames: Set<string>;
  /** The trial's own, by name. */
  sessions: Map<string, OwnSession>;
  sessionSecrets: Set<string>;
};

async function runStep(run: Run, step: Step) {
  const { context, values, secretNames } = run;
  context.signal.throwIfAborted();
  const action = fillAction(step, values);
  const observed = await perform(run, step, action);
  // Captures come first, so that a claim may use what its own answer gave.
  const missed = capture(step, observed, values, secretNames);
  const claims = step.expect.map((assertion) => fillAssertion(assertion, values));
  return {
    performed: { step, action, claims, observed, identity: identityOf(run, step) },
    failure: missed ?? firstFailure(claims, observed, context.now()),
  };
}

async function perform(run: Run, step: Step, action: Action): Promise<Observed> {
  if ('http' in action && action.http.logIn !== undefined) return logIn(run, step, action.http, action.http.logIn);
  const session = sessionOf(run, step);
  await announceWrite(run, step, action);
  const subjects = [...step.expect, ...(step.capture ?? [])].map(({ subject }) => subject);
  const observed = await observe(run.context, action, session, subjects);
  if (session && step.session !== undefined) noteSecrets(run, session);
  return observed;
}

async function logIn(run: Run, { session: name }: Step, { url, headers }: HttpAction, identity: string) {
  const { context } = run;
  if (name === undefined) throw new ProofError('a step logs in without naming its session');
  if (!context.logIn) throw new ProofError('a step logs in, but nobody can log in here');
  const jar = context.http.newJar();
  plantCookies(jar, url, headers ?? []);
  const { headers: own, answer } = await context.logIn(identity, jar);
  const session: OwnSession = { identity, jar, headers: own };
  run.sessions.set(name, session);
  noteSecrets(run, session);
  return { kind: 'http', exchange: answer } as const;
}

function noteSecrets({ sessionSecrets: known }: Run, session: Session): void {
  for (const secret of sessionSecrets(session)) known.add(secret);
}

const identityOf = ({ sessions }: Run, { identity, session = '' }: Step): string =>
  identity ?? sessions.get(session)?.identity ?? '';

function sessionOf({ context, sessions }: Run, { identity, session: name }: Step): Session | undefined {
  if (name !== undefined) {
    const own = sessions.get(name);
    if (!own) throw new ProofError(`no step has logged in to the session "${name}"`);
    return own;
  }
  if (!identity) return undefined;
  const session = context.identities[identity];
  if (!session) throw new ProofError(`there is no session of identity "${identity}"`);
  return session;
}

async function announceWrite(run: Run, step: Step, action: Action): Promise<void> {
  const { context } = run;
  if (!('http' in action) || !action.http.write) return;
  if (!context.recordWrite) throw new ProofError('a step changes the target, but writes cannot be recorded here');
  const { write, ...request } = action.http;
  await context.recordWrite({
    description: write.description,
    identity: identityOf(run, step),
    request,
    undo: write.undo,
  });
}

function capture(step: Step, observed: Observed, values: TrialValues, secretNames: Set<string>): string | undefined {
  for (const template of step.capture ?? []) {
    const rule = fillCapture(template, values);
    const match = firstMatch(rule.pattern, subjectValue(observed, rule.subject) ?? '');
    const value = match?.groups[0] ?? match?.text;
    if (!value) return `${rule.subject} has nothing to capture as ${rule.name}`;
    values.set(rule.name, value);
    if (rule.secret) secretNames.add(rule.name);
  }
  return undefined;
}

function firstFailure(claims: readonly Assertion[], observed: Observed, now: Date): string | undefined {
  const failed = claims.find((claim) => !holds(claim, subjectValue(observed, claim.subject), now));
  return failed && `${failed.subject} ${failed.operator} ${failed.expected}`.trimEnd().concat(' does not hold');
}
