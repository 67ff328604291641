import type { HttpAction } from '../model/experiment.ts';
import type { Exchange } from '../model/http.ts';
import { announce } from './announce.ts';
import { observe, sessionSecrets } from './observe.ts';
import { ProofError } from './proof-error.ts';
import { noteAnswer, type SentWrite, takeBackAll } from './take-back.ts';
import { licenceOfLasting, type ProofContext, undoing } from './trial.ts';

/**
 * Sends a request that stores something, and looks at what became of it: recorded before, and taken back after the look where it has an
 * undo. For checks that have to see where a value turns up before they can say what would prove anything.
 * @throws ProofError, ProbeError
 */
export async function storeAndLook<T>(
  context: ProofContext,
  identity: string,
  http: HttpAction,
  look: (answer: Exchange) => Promise<T>,
): Promise<T> {
  const session = identity === '' ? undefined : context.identities[identity];
  if (identity !== '' && !session) throw new ProofError(`there is no session of identity "${identity}"`);
  if (!context.licensed || (!http.write && !http.lasting && !http.ofLogin))
    throw new ProofError('a check may not store anything here');
  const secrets = [...(context.secrets?.() ?? []), ...Object.values(context.identities).flatMap(sessionSecrets)];
  const writes: SentWrite[] = [];
  await announce(context, http, { identity, secrets, writes });
  const licence = http.lasting ? licenceOfLasting(http.lasting) : http.ofLogin ? 'login-step' : 'write';
  const instruments = { ...context, http: context.licensed(licence) };
  const perform = async (): Promise<T> => {
    const observed = await observe(instruments, { http }, session);
    for (const sent of writes) noteAnswer(sent, observed);
    if (observed.kind !== 'http') throw new ProofError('a request was answered by nothing that HTTP knows');
    return look(observed.exchange);
  };
  const result = await perform().catch(async (error: unknown) => {
    await takeBackAll(undoing(context), writes).catch(() => {});
    throw error;
  });
  const left = await takeBackAll(undoing(context), writes);
  if (left !== undefined) throw new ProofError(`what was stored could not be taken back: ${left}`);
  return result;
}
