import type { Interceptor } from '@connectrpc/connect';
import type { Policies } from '../access/policy.ts';
import { callerKey, contextValue, emKey } from '../context.ts';
import { findCaller } from '../keys/find-caller.ts';

/** The one place that decides who calls, for REST through the gateway and gRPC alike. */
export const authenticate =
  (policies: Policies): Interceptor =>
  (next) =>
  async (request) => {
    if (!policies.of(request).isPublic) {
      const em = contextValue(request.contextValues, emKey);
      const { header } = request;
      const caller = await findCaller(em, header.get('authorization'), header.get('x-scan-audit-org'));
      request.contextValues.set(callerKey, caller);
    }
    return next(request);
  };
