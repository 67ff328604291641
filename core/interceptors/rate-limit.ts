import type { Interceptor } from '@connectrpc/connect';
import { answerHeadersKey, callerKey } from '../context.ts';
import { setLimitHeaders } from '../limits/headers.ts';
import { requireAllowed, takenKey } from '../limits/take-tokens.ts';

/** Refuses a call whose key or org had no token left. The answer says how many are left. */
export const rateLimit: Interceptor = (next) => async (request) => {
  const { contextValues } = request;
  if (contextValues.get(callerKey)) {
    const taken = contextValues.get(takenKey);
    setLimitHeaders(contextValues.get(answerHeadersKey), taken);
    requireAllowed(taken);
  }
  return next(request);
};
