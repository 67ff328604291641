import type { Proof } from '../../../../proto/gen/scanaudit/v1/findings_pb.ts';
import { makeNonce } from '../../../../workflows/activities/audit-context.ts';
import { claim, type Experiment, type Step } from '../../../../workflows/model/experiment.ts';
import type { Session } from '../../../../workflows/proof/observe.ts';
import { prove } from '../../../../workflows/proof/prove.ts';
import type { ProofContext } from '../../../../workflows/proof/trial.ts';
import { dora } from '../../../fixtures/logins/people.ts';
import type { Kind, Stage } from '../../login/stage.ts';

/** What is sent is what the test's own experiment says: it has the licence of a recorded write. */
export const contextOf = ({ probes }: Stage, identities: Record<string, Session>): ProofContext => ({
  ...probes,
  http: probes.licensed('write'),
  identities,
  nonce: () => makeNonce(),
  now: () => new Date(),
  signal: new AbortController().signal,
  recordWrite: async () => {},
});

export async function proofOf(experiment: Experiment, context: ProofContext): Promise<Proof> {
  const verdict = await prove(experiment, context);
  if (!verdict.proven) throw new Error(verdict.reason);
  return verdict.proof;
}

/** The user who logs in, as the scripts of a proof name them. */
export const credentials = { USERNAME_TEST_USER: dora.username, PASSWORD_TEST_USER: dora.password };

export const form: Kind = { case: 'form', value: { url: '/login', ...dora } };

/** Asks for a page, and finds this word in it. */
export const page = (url: string, word: string, more: Partial<Step> = {}): Step => ({
  http: { url },
  note: `The page says ${word}.`,
  expect: [claim('body', 'contains', word)],
  ...more,
});
