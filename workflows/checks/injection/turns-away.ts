import type { Exchange } from '../../model/http.ts';
import { parseJson } from '../../model/json.ts';
import { targetOf } from '../addresses/redirect-target.ts';

const ofLogin = /log-?_?[io]n|sign-?_?[io]n|auth/i;

/** Whoever sent it may not: by the status, by a login to which it leads, or by errors in the place of all that GraphQL was asked for. */
export function turnsAway(answer: Exchange): boolean {
  const { status, text } = answer;
  const target = targetOf(answer);
  if (status === 401 || status === 403 || (target !== undefined && ofLogin.test(new URL(target).pathname))) return true;
  const { errors, data } = Object(parseJson(text)) as { errors?: unknown; data?: unknown };
  return Array.isArray(errors) && errors.length > 0 && Object.values(Object(data)).every((each) => each === null);
}
