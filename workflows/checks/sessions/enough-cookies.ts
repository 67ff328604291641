import type { CheckContext } from '../contract.ts';
import { type MarkedPage, opensWith } from './own-sessions.ts';

type CookiePair = { name: string; value: string };

/** The fewest of the cookies that open the session without any other; a token against forged requests does not. */
export async function enoughOf(
  context: CheckContext,
  page: MarkedPage,
  cookies: readonly CookiePair[],
): Promise<readonly CookiePair[] | undefined> {
  if (cookies.length === 0 || !(await opensWith(context, page, cookies))) return undefined;
  let enough = cookies;
  for (const cookie of cookies) {
    const others = enough.filter((other) => other !== cookie);
    if (others.length > 0 && (await opensWith(context, page, others))) enough = others;
  }
  return enough;
}
