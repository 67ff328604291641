import type { Interceptor } from '@connectrpc/connect';
import type { Policies } from '../access/policy.ts';
import { answerHeadersKey, callerKey, contextValue, emKey } from '../context.ts';
import { Refusal } from '../errors.ts';
import { bucketsOf } from '../limits/buckets.ts';
import { setLimitHeaders } from '../limits/headers.ts';
import { takeTokens } from '../limits/take-tokens.ts';

/** A call costs a token of its key, and a start one of its org. The answer says how many are left. */
export const rateLimit =
  (policies: Policies): Interceptor =>
  (next) =>
  async (request) => {
    const { contextValues } = request;
    const caller = contextValues.get(callerKey);
    if (caller) {
      const taken = await takeTokens(contextValue(contextValues, emKey), bucketsOf(caller, policies.of(request)));
      setLimitHeaders(contextValues.get(answerHeadersKey), taken);
      const refused = taken.filter(({ isAllowed }) => !isAllowed);
      if (refused.length > 0)
        throw new Refusal('RATE_LIMITED', {
          message: `Too many ${refused.map(({ policyName }) => policyName).join(' and ')} in a minute.`,
          retryAfterMs: Math.ceil(Math.max(...refused.map(({ waitMs }) => waitMs))),
        });
    }
    return next(request);
  };
