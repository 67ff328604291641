import { WriteState } from '../../proto/gen/scanaudit/v1/runs_pb.ts';
import { digest } from '../checks/fingerprint.ts';
import { isPrivileged } from '../checks/sessions/roles.ts';
import type { Identity } from '../model/identity.ts';
import type { Omitted } from '../model/omission.ts';
import type { Surface } from '../model/surface.ts';
import { counted, wasOrWere } from '../model/words.ts';
import { type CookieTrial, type CookieVerdict, observeCookies } from '../observation/kept-cookies.ts';
import type { ActivityTools } from './activity-tools.ts';
import { makeNonce } from './audit-context.ts';
import { addObservations, findObservations } from './gate-knowledge.ts';
import { cookieKey, heldIn } from './held-cookies.ts';
import type { WriteRecord } from './writes.ts';

/**
 * Sees which cookies of a visitor's pages an account keeps, and keeps that for the checks. Where nothing may be written, and with the
 * rights of an administrator, none is tried.
 * @returns those that checks leave alone with a session
 */
export async function observeCookiesOf(
  { run, probes: { http }, writes }: Pick<ActivityTools, 'run' | 'probes' | 'writes'>,
  identity: Identity,
  surface: Surface,
): Promise<Omitted[]> {
  const record = (trial: CookieTrial, verdict?: CookieVerdict) =>
    run.recordWrite(recordOf(identity.name, trial, verdict));
  const isTried = writes !== 'none' && !isPrivileged(identity);
  const verdicts = isTried ? await observeCookies({ surface, identity, http, nonce: makeNonce, record }) : [];
  const seen = [...verdicts].map(
    ([name, verdict]) => [cookieKey(name), verdict === 'not-kept' ? 'reads' : 'writes'] as const,
  );
  await addObservations(run, Object.fromEntries(seen));
  const { length: count } = heldIn(surface, await findObservations(run));
  const text = `${counted(count, 'cookie')} ${wasOrWere(count)} given no further values with a session: the account may keep what they say`;
  return count === 0 ? [] : [{ code: 'would_write', count, text }];
}

/** Before it is known what becomes of its value, a cookie counts as one that the account keeps. */
const recordOf = (identity: string, { name, url, headers }: CookieTrial, verdict?: CookieVerdict): WriteRecord => ({
  ...{ id: digest(['observation', 'cookie', identity, name]), actionId: 'observation', identity, place: url },
  state: verdict === 'not-kept' || verdict === 'put-back' ? WriteState.UNCHANGED : WriteState.LEFT,
  description: `A cookie was sent once with a neutral value, to see whether the account keeps it: ${ends[verdict ?? 'kept']}`,
  request: { method: 'GET', url, headers: headers.map(([field, value]) => ({ name: field, value })), body: '' },
});

const ends: Record<CookieVerdict, string> = {
  kept: 'it may, and the value is left.',
  'put-back': 'it does. The value from before was sent once more, and the account has it again.',
  'not-kept': 'it does not.',
};
