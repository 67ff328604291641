import type { Action, Assertion, CaptureRule, Experiment, LastingWrite, Step } from '../model/experiment.ts';
import type { Licence } from '../model/gate.ts';
import type { HeaderList, HttpProbe } from '../model/http.ts';
import type { LoginRecipe } from '../model/login-recipe.ts';
import type { Probes } from '../model/probes.ts';
import { announce } from './announce.ts';
import { holds } from './assertions.ts';
import { observe, type Session, sessionSecrets } from './observe.ts';
import { firstMatch } from './pattern.ts';
import type { PlannedWrite, RecordedLasting } from './planned-write.ts';
import { shownEarly, shownLate } from './shown-early.ts';
import type { Observed } from './subjects/observed.ts';
import { subjectValue } from './subjects.ts';
import { lookForAll, noteAnswer, noteSeen, type SentWrite, takeBackAll } from './take-back.ts';
import { fillAction, fillAssertion, fillCapture, newTrialValues, type TrialValues } from './template.ts';
import { createSessions, type SessionContext, type TrialSessions } from './trial-sessions.ts';

/** What the engine needs of a run. */
export type ProofContext = Probes &
  SessionContext & {
    /** Headers of the org's own that the instruments send to the target; the values are secret. */
    scopeHeaders?: HeaderList;
    /** Those of them that go with a request to this URL. */
    scopeHeadersFor?(url: string): HeaderList;
    /** Random lower-case letters and digits, starting with a letter. */
    nonce(): string;
    now(): Date;
    signal: AbortSignal;
    /**
     * The HTTP instrument for a step that is recorded as a write, for one in a session of the trial's own, and for an undo. Without it
     * such steps are sent as those of any check, and the write gate refuses what could change something.
     */
    licensed?: (licence: Licence) => HttpProbe;
    /** Called before each step that changes the target; when it fails nothing is sent. Without it such steps are refused. */
    recordWrite?: (write: PlannedWrite) => Promise<void>;
    /** Called when a read has shown that such a change is gone. `isSeen`: one before had shown that it was there. */
    recordUndone?: (write: PlannedWrite, isSeen: boolean) => Promise<void>;
    /** Called before each step that stores something which stays. Without it such steps are refused. */
    recordLasting?: (write: RecordedLasting) => Promise<void>;
    /** Passwords and the like of the identities: never in what is recorded. */
    secrets?: () => readonly string[];
    /** Logs in again as whoever was logged out, for taking back what was changed. */
    renewSessions?: () => Promise<unknown>;
  };

/** A step as it was performed. `identity` is whose session it had. */
export type Performed = {
  step: Step;
  action: Action;
  claims: Assertion[];
  observed: Observed;
  identity: string;
  /** What its session held when the answer had come; later answers may change it. */
  session: SessionState | undefined;
};

/** What a session sends at one moment. */
export type SessionState = {
  headers: HeaderList;
  cookies: readonly { name: string; value: string }[];
  /** How a reader makes one like it. */
  recipe?: LoginRecipe;
};

export type Trial = {
  steps: Performed[];
  control: Performed[];
  values: Record<string, string>;
  /** Names of captured values that are secret. */
  secretNames: string[];
  /** All values that were captured under those names. */
  capturedSecrets: string[];
  /** Values of the cookies and headers of the trial's own sessions. */
  sessionSecrets: string[];
  /** Why what the trial changed could not be shown to be gone; undefined when it is. */
  left?: string;
};

type TrialRun = {
  context: ProofContext;
  values: TrialValues;
  secretNames: Set<string>;
  /** All values that were captured under those names, also those that a later one has replaced. */
  secretValues: Set<string>;
  sessions: TrialSessions;
  writes: SentWrite[];
};

/**
 * Performs an experiment once: all claims of the steps hold, those of the control's last step do not. However it ends, it
 * takes its writes back at once, so that later trials and checks meet what was there before; what is left then, and what
 * a cancellation leaves, is in the run's ledger, for its end.
 * @returns the reason when that is not so
 * @throws ProbeError, ProofError
 */
export async function runTrial(context: ProofContext, experiment: Experiment): Promise<Trial | { refuted: string }> {
  const sessions = createSessions(context);
  const [secretNames, secretValues] = [new Set<string>(), new Set<string>()];
  const run: TrialRun = {
    context,
    values: newTrialValues(context.nonce, context.callbacks?.newToken),
    secretNames,
    secretValues,
    sessions,
    writes: [],
  };
  const trial = await runSteps(run, experiment).catch(async (error: unknown) => {
    await takeBackAll(undoing(context), run.writes).catch(() => {});
    throw error;
  });
  const left = await takeBackAll(undoing(context), run.writes);
  return left === undefined ? trial : { ...trial, left };
}

async function runSteps(run: TrialRun, experiment: Experiment): Promise<Trial | { refuted: string }> {
  const steps: Performed[] = [];
  for (const step of experiment.steps) {
    const { performed, failure } = await runStep(run, step);
    if (failure) return { refuted: `"${step.note}": ${failure}` };
    steps.push(performed);
  }
  // The control may put back what was changed.
  await lookForAll(undoing(run.context), run.writes);
  const control: Performed[] = [];
  for (const [index, step] of experiment.control.entries()) {
    const { performed, failure } = await runStep(run, step, true);
    const isLast = index === experiment.control.length - 1;
    if (failure && !isLast && !step.mayEndControl) return { refuted: `control "${step.note}": ${failure}` };
    if (!failure && isLast) return { refuted: `control "${step.note}": it holds without the cause too` };
    control.push(performed);
    if (failure) break;
  }
  const secrets = {
    secretNames: [...run.secretNames],
    capturedSecrets: [...run.secretValues],
    sessionSecrets: run.sessions.secrets(),
  };
  return { steps, control, values: run.values.all(), ...secrets };
}

async function runStep(run: TrialRun, step: Step, isControl = false) {
  const { context, values, sessions } = run;
  context.signal.throwIfAborted();
  const action = fillAction(step, values);
  const observed = await perform(run, step, action, isControl);
  // Captures come first, so that a claim may use what its own answer gave.
  const missed = capture(step, observed, run);
  const claims = step.expect.map((assertion) => fillAssertion(assertion, values));
  return {
    performed: {
      step,
      action,
      claims,
      observed,
      identity: sessions.identityOf(step),
      session: stateOf(sessions.of(step)),
    },
    failure: missed ?? firstFailure(claims, observed, context.now()),
  };
}

function stateOf(session: Session | undefined): SessionState | undefined {
  if (!session) return undefined;
  const { headers, jar, recipe } = session;
  return { headers, cookies: jar.all().map(({ name, value }) => ({ name, value })), ...(recipe && { recipe }) };
}

async function perform(run: TrialRun, step: Step, action: Action, isControl: boolean): Promise<Observed> {
  const { context, sessions } = run;
  if ('http' in action && action.http.logIn !== undefined)
    return { kind: 'http', exchange: await sessions.logIn(step, action.http) };
  const session = sessions.of(step);
  const sent =
    'http' in action
      ? await announce(context, action.http, { ...run, identity: sessions.identityOf(step), secrets: secretsOf(run) })
      : undefined;
  const subjects = [...step.expect, ...(step.capture ?? [])].map(({ subject }) => subject);
  const isDone = shownEarly(step, run.values, context.now);
  // What a control claims is not to come.
  const isShown = isControl ? undefined : shownLate(step, run.values, context.now);
  const waiting = { ...(isDone && { isDone }), ...(isShown && { isShown }) };
  const observed = await observe(instrumentsFor(run, step, action, sent), action, session, subjects, waiting);
  if (sent) noteAnswer(sent, observed);
  else
    noteSeen(
      run.writes,
      { url: 'http' in action ? action.http.url : '', identity: sessions.identityOf(step) },
      observed,
      context.now(),
    );
  sessions.note(step);
  return observed;
}

/** What a step may send beyond what any check may. */
function instrumentsFor({ context }: TrialRun, step: Step, action: Action, sent: SentWrite | undefined): ProofContext {
  const { lasting, asRegistered, ofLogin } = 'http' in action ? action.http : {};
  const stays = asRegistered ? 'registration' : lasting && licenceOfLasting(lasting);
  const goesOn = ofLogin ? 'login-step' : undefined;
  const licence = sent ? 'write' : (stays ?? goesOn ?? (step.session === undefined ? undefined : 'own-session'));
  return licence && context.licensed ? { ...context, http: context.licensed(licence) } : context;
}

/** By what a write that stays is sent. */
export const licenceOfLasting = ({ registers, ofOwnAccounts, fillsBasket }: LastingWrite): Licence => {
  if (registers) return 'registration';
  return ofOwnAccounts ? 'own-account' : fillsBasket ? 'basket' : 'lasting';
};

export const undoing = (context: ProofContext): ProofContext =>
  context.licensed ? { ...context, http: context.licensed('undo') } : context;

const secretsOf = ({ context, secretValues, sessions }: TrialRun): string[] => [
  ...secretValues,
  ...sessions.secrets(),
  ...(context.secrets?.() ?? []),
  ...Object.values(context.identities).flatMap(sessionSecrets),
];

/** What a rule takes from an answer. */
export function capturedBy({ pattern, subject }: CaptureRule, observed: Observed): string | undefined {
  const match = firstMatch(pattern, subjectValue(observed, subject) ?? '');
  return match?.groups[0] ?? match?.text;
}

function capture(step: Step, observed: Observed, { values, secretNames, secretValues }: TrialRun): string | undefined {
  for (const template of step.capture ?? []) {
    const rule = fillCapture(template, values);
    const value = capturedBy(rule, observed);
    if (!value) return `${rule.subject} has nothing to capture as ${rule.name}`;
    values.set(rule.name, value);
    if (rule.secret) secretNames.add(rule.name);
    if (rule.secret) secretValues.add(value);
  }
  return undefined;
}

function firstFailure(claims: readonly Assertion[], observed: Observed, now: Date): string | undefined {
  const failed = claims.find((claim) => !holds(claim, subjectValue(observed, claim.subject), now));
  return failed && `${failed.subject} ${failed.operator} ${failed.expected}`.trimEnd().concat(' does not hold');
}
