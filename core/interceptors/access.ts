import type { Interceptor } from '@connectrpc/connect';
import { admit } from '../access/admit.ts';
import type { Policies } from '../access/policy.ts';
import { answerHeadersKey, callerKey, contextValue, emKey } from '../context.ts';
import { bucketsOf } from '../limits/buckets.ts';
import { setLimitHeaders } from '../limits/headers.ts';
import { takeTokens } from '../limits/take-tokens.ts';

/** Who may call what, as the contract says. A refusal costs nothing, and reports the remaining limits as any answer does. */
export const access =
  (policies: Policies): Interceptor =>
  (next) =>
  async (request) => {
    const policy = policies.of(request);
    if (policy.isPublic) return next(request);
    const { contextValues, header } = request;
    const caller = contextValue(contextValues, callerKey);
    try {
      admit(caller, policy, header.get('x-scan-audit-org'));
    } catch (refusal) {
      const looks = bucketsOf(caller, policy).map((bucket) => ({ ...bucket, cost: 0 as const }));
      const left = await takeTokens(contextValue(contextValues, emKey), looks);
      setLimitHeaders(contextValues.get(answerHeadersKey), left);
      throw refusal;
    }
    return next(request);
  };
