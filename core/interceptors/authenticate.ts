import type { Interceptor } from '@connectrpc/connect';
import type { Policies } from '../access/policy.ts';
import { callerKey, contextValue, emKey } from '../context.ts';
import { beginCall } from '../keys/begin-call.ts';
import { takenKey } from '../limits/take-tokens.ts';

/**
 * The one place that decides who calls, for REST through the gateway and gRPC alike. A call costs a token of its key and one
 * of its org, which are taken in the same round trip.
 */
export const authenticate =
  (policies: Policies): Interceptor =>
  (next) =>
  async (request) => {
    const { isPublic, limit } = policies.of(request);
    if (!isPublic) {
      const { contextValues, header } = request;
      const em = contextValue(contextValues, emKey);
      const [authorization, actingFor] = [header.get('authorization'), header.get('x-scan-audit-org')];
      const { caller, taken } = await beginCall(em, authorization, actingFor, limit === 'starts');
      contextValues.set(callerKey, caller).set(takenKey, taken);
    }
    return next(request);
  };
