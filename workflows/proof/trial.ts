import type { Probes } from '../probe/types.ts';
import { holds } from './assertions.ts';
import type { Action, Assertion, Experiment, HttpAction, Step } from './experiment.ts';
import { observe, type Session } from './observe.ts';
import { firstMatch } from './pattern.ts';
import { ProofError } from './proof-error.ts';
import { type Observed, subjectValue } from './subjects.ts';
import { fillAction, fillAssertion, fillCapture, newTrialValues, type TrialValues } from './template.ts';
import { createSessions, type SessionContext, type TrialSessions } from './trial-sessions.ts';

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
export type ProofContext = Probes &
  SessionContext & {
    /** Random lower-case letters and digits, starting with a letter. */
    nonce(): string;
    now(): Date;
    signal: AbortSignal;
    /** Called before each step that changes the target; when it fails nothing is sent. Without it such steps are refused. */
    recordWrite?: (write: PlannedWrite) => Promise<void>;
  };

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

type Run = {
  context: ProofContext;
  values: TrialValues;
  secretNames: Set<string>;
  sessions: TrialSessions;
  /** What takes back the writes that were sent, in their order. */
  undos: { action: HttpAction; session: Session | undefined }[];
};

/**
 * Performs an experiment once: all claims of the steps hold, those of the control's last step do not.
 * One that ends before its end takes its writes back at once; the run's ledger does so again at its end, for all.
 * @returns the reason when that is not so
 * @throws ProbeError, ProofError
 */
export async function runTrial(context: ProofContext, experiment: Experiment): Promise<Trial | { refuted: string }> {
  const sessions = createSessions(context);
  const run: Run = { context, values: newTrialValues(context.nonce), secretNames: new Set(), sessions, undos: [] };
  try {
    const trial = await runSteps(run, experiment);
    if ('refuted' in trial) await takeBack(run);
    return trial;
  } catch (error) {
    await takeBack(run);
    throw error;
  }
}

async function runSteps(run: Run, experiment: Experiment): Promise<Trial | { refuted: string }> {
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
  const secrets = { secretNames: [...run.secretNames], sessionSecrets: run.sessions.secrets() };
  return { steps, control, values: run.values.all(), ...secrets };
}

async function runStep(run: Run, step: Step) {
  const { context, values, secretNames, sessions } = run;
  context.signal.throwIfAborted();
  const action = fillAction(step, values);
  const observed = await perform(run, step, action);
  // Captures come first, so that a claim may use what its own answer gave.
  const missed = capture(step, observed, values, secretNames);
  const claims = step.expect.map((assertion) => fillAssertion(assertion, values));
  return {
    performed: { step, action, claims, observed, identity: sessions.identityOf(step) },
    failure: missed ?? firstFailure(claims, observed, context.now()),
  };
}

async function perform(run: Run, step: Step, action: Action): Promise<Observed> {
  const { context, sessions } = run;
  if ('http' in action && action.http.logIn !== undefined)
    return { kind: 'http', exchange: await sessions.logIn(step, action.http) };
  const session = sessions.of(step);
  await announceWrite(run, step, action, session);
  const subjects = [...step.expect, ...(step.capture ?? [])].map(({ subject }) => subject);
  const observed = await observe(context, action, session, subjects);
  sessions.note(step);
  return observed;
}

async function announceWrite(run: Run, step: Step, action: Action, session: Session | undefined): Promise<void> {
  if (!('http' in action) || !action.http.write) return;
  const { context, sessions, undos } = run;
  if (!context.recordWrite) throw new ProofError('a step changes the target, but writes cannot be recorded here');
  const { write, ...request } = action.http;
  const { description, undo, identity = sessions.identityOf(step) } = write;
  await context.recordWrite({ description, identity, request, undo });
  undos.push({ action: undo, session: session ?? context.identities[identity] });
}

/** Later steps and checks must not meet what a refuted experiment left. What fails here is left to the ledger. */
async function takeBack({ context, undos }: Run): Promise<void> {
  for (const { action, session } of undos.toReversed()) {
    if (context.signal.aborted) return;
    await observe(context, { http: action }, session).catch(() => {});
  }
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
