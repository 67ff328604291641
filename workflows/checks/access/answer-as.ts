import type { HttpAction } from '../../model/experiment.ts';
import type { Exchange } from '../../model/http.ts';
import type { Identity } from '../../model/identity.ts';
import { isLeftOut } from '../../probe/errors.ts';
import { fillAction, newTrialValues } from '../../proof/template.ts';
import { targetOf } from '../addresses/redirect-target.ts';
import type { CheckContext } from '../contract.ts';

/**
 * What a user is answered to a request, or nobody.
 * @returns undefined for what is left out on purpose
 * @throws ProbeError
 */
export async function answerAs(
  { http, nonce }: CheckContext,
  user: Identity | undefined,
  action: HttpAction,
): Promise<Exchange | undefined> {
  const filled = fillAction({ http: action }, newTrialValues(nonce));
  if (!('http' in filled)) return undefined;
  const { method, url, headers = [], body } = filled.http;
  try {
    return await http.send({
      ...{ url, fresh: true, headers: [...(user?.headers ?? []), ...headers] },
      ...(user ? { jar: user.jar } : {}),
      ...(method === undefined ? {} : { method }),
      ...(body === undefined ? {} : { body }),
    });
  } catch (error) {
    if (isLeftOut(error)) return undefined;
    throw error;
  }
}

/**
 * The same, and of a form the page that its answer leads to: what it makes, as an export, has an address of its own each time.
 * @throws ProbeError
 */
export async function answerBehind(
  context: CheckContext,
  user: Identity | undefined,
  action: HttpAction,
): Promise<{ answer: Exchange | undefined; isLed: boolean }> {
  const answer = await answerAs(context, user, action);
  const target = answer && action.method === 'POST' ? targetOf(answer) : undefined;
  if (!target || URL.parse(target)?.origin !== new URL(action.url).origin) return { answer, isLed: false };
  return { answer: await answerAs(context, user, { url: target }), isLed: true };
}
