import type { Interceptor } from '@connectrpc/connect';
import { admit } from '../access/admit.ts';
import type { Policies } from '../access/policy.ts';
import { answerHeadersKey, callerKey, contextValue, emKey } from '../context.ts';
import { setLimitHeaders } from '../limits/headers.ts';
import { giveBack, takenKey } from '../limits/take-tokens.ts';

/** Who may call what, as the contract says. A refusal costs nothing, and reports the remaining limits as any answer does. */
export const access =
  (policies: Policies): Interceptor =>
  (next) =>
  async (request) => {
    const policy = policies.of(request);
    if (policy.isPublic) return next(request);
    const { contextValues, header } = request;
    try {
      admit(contextValue(contextValues, callerKey), policy, header.get('x-scan-audit-org'));
    } catch (refusal) {
      const left = await giveBack(contextValue(contextValues, emKey), contextValues.get(takenKey));
      setLimitHeaders(contextValues.get(answerHeadersKey), left);
      throw refusal;
    }
    return next(request);
  };
