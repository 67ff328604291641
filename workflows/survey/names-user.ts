import type { WebStorage } from '../model/browser.ts';
import { tokensOf } from '../probe/gate/words/spelling.ts';

/** Ids, tokens and records of a user are no shorter, unless their names say what they are; states of menus and columns are. */
const shortestToken = 16;
const ofUser =
  /^(?:users?|names?|username|nick|auth|token|jwt|sid|session|role|roles|account|admin|log(?:in|ged)|logged(?:in)?|member|profile|mail|email|id|uid|me)$/;

/** Whether what scripts keep in the browser may say who is logged in, so that what they draw depends on it. */
export const namesUser = (storage: WebStorage | undefined): boolean =>
  Object.values(storage ?? {}).some(({ local, session }) =>
    [local, session].some((entries) =>
      Object.entries(entries).some(
        ([name, value]) => value.length >= shortestToken || tokensOf(name).some((token) => ofUser.test(token)),
      ),
    ),
  );
