import type { Interceptor } from '@connectrpc/connect';
import type { Policies } from '../access/policy.ts';
import { answerHeadersKey, callerKey, contextValue, emKey } from '../context.ts';
import { bucketsOf } from '../limits/buckets.ts';
import { setLimitHeaders } from '../limits/headers.ts';
import { requireAllowed, takenKey, takeTokens } from '../limits/take-tokens.ts';

/** A call costs a token of its key and one of its org. The answer says how many are left. */
export const rateLimit =
  (policies: Policies): Interceptor =>
  (next) =>
  async (request) => {
    const { contextValues } = request;
    const caller = contextValues.get(callerKey);
    if (caller) {
      const taken = await takeTokens(contextValue(contextValues, emKey), bucketsOf(caller, policies.of(request)));
      contextValues.set(takenKey, taken);
      setLimitHeaders(contextValues.get(answerHeadersKey), taken);
      requireAllowed(taken);
    }
    return next(request);
  };
