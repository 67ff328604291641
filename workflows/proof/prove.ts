import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type Proof, ProofSchema } from '../../proto/gen/scanaudit/v1/findings_pb.ts';
import type { Action, Experiment, Step } from '../model/experiment.ts';
import { sessionSecrets } from './observe.ts';
import { ProofError } from './proof-error.ts';
import { createRedactor, type Redactor } from './redact.ts';
import { scriptFor } from './reproduce/script.ts';
import { storedStep } from './stored.ts';
import { isNeeded } from './subjects.ts';
import { type Performed, type ProofContext, runTrial, type Trial } from './trial.ts';

/** R2: what holds once may be chance, a cache or a page that changes. */
const trials = 2;

/** `captured` holds the values of the last trial, secret ones in clear. */
export type ProofVerdict =
  | { proven: true; proof: Proof; captured: Record<string, string> }
  | { proven: false; reason: string };

/**
 * Runs an experiment twice on fresh connections with new nonces, each time with its control.
 * The proof holds no secret: neither a session, nor a captured value, nor what a page showed.
 * @throws ProbeError when a step or control got no answer, ProofError when the experiment cannot be run here
 */
export async function prove(experiment: Experiment, context: ProofContext): Promise<ProofVerdict> {
  assertComplete(experiment);
  const run = () => runTrials(experiment, context);
  const isTimed = isMeasured(experiment);
  const runOnce = () => (isTimed ? context.quiet.alone(run) : run());
  const verdict = await runOnce();
  // What other checks do in the same session may show in an answer, as a message does that is shown once; what else its machine does
  // may make an answer late.
  const mayBeDisturbed = onlyAsks(experiment) && (isTimed || isOfUser(experiment));
  return verdict.proven || !mayBeDisturbed ? verdict : runOnce();
}

const onlyAsks = ({ steps, control }: Experiment): boolean =>
  [...steps, ...control].every(
    (step) =>
      'http' in step && !step.http.write && !step.http.lasting && !step.http.logIn && step.session === undefined,
  );

/** What is nobody's has no state that others could change meanwhile. */
const isOfUser = ({ steps, control }: Experiment): boolean =>
  [...steps, ...control].some(({ identity }) => identity !== undefined);

/** Whether a claim is about what an answer takes. */
const isMeasured = ({ steps, control }: Experiment): boolean =>
  isNeeded(
    [...steps, ...control].flatMap(({ expect, capture = [] }) => [...expect, ...capture].map(({ subject }) => subject)),
    'quiet',
  );

async function runTrials(experiment: Experiment, context: ProofContext): Promise<ProofVerdict> {
  let last: Trial | undefined;
  for (let number = 1; number <= trials; number += 1) {
    const trial = await runTrial(context, experiment);
    if ('refuted' in trial)
      return { proven: false, reason: redactorFor(experiment, context).text(`Trial ${number}, ${trial.refuted}.`) };
    if (trial.left !== undefined && number < trials)
      throw new ProofError(`what trial ${number} changed could not be taken back: ${trial.left}`);
    last = trial;
  }
  if (!last) throw new ProofError('no trial was run');
  return { proven: true, proof: await proofOf(experiment, last, context), captured: last.values };
}

/** An experiment without a control, or with one that claims nothing, would prove anything. */
function assertComplete({ steps, control }: Experiment): void {
  for (const [name, list] of [
    ['steps', steps],
    ['control', control],
  ] as const) {
    const last = list.at(-1);
    if (!last) throw new ProofError(`an experiment needs ${name}`);
    if (last.expect.length === 0) throw new ProofError(`the last of the ${name} claims nothing`);
  }
}

async function proofOf(experiment: Experiment, trial: Trial, context: ProofContext): Promise<Proof> {
  const redactor = redactorFor(experiment, context, trial);
  const store = (performed: Performed) => storedStep(performed, trial, redactor);
  return create(ProofSchema, {
    verifiedAt: timestampFromDate(context.now()),
    steps: trial.steps.map(store),
    control: trial.control.map(store),
    curl: await scriptFor(trial, context, redactor),
    trials,
  });
}

function redactorFor({ steps, control }: Experiment, context: ProofContext, trial?: Trial): Redactor {
  const performed = trial ? [...trial.steps, ...trial.control].map(({ action }) => action) : [];
  return createRedactor(
    [
      ...[...steps, ...control, ...performed].flatMap(actionSecrets),
      ...(trial?.capturedSecrets ?? []),
      ...(trial?.sessionSecrets ?? []),
      ...Object.values(context.identities).flatMap(sessionSecrets),
    ],
    context.scopeHeaders,
    performed.flatMap((action) => ('http' in action ? (action.http.invented ?? []) : [])),
  );
}

const actionSecrets = (action: Action | Step): string[] => ('http' in action ? [...(action.http.secrets ?? [])] : []);
