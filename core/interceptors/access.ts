import type { Interceptor } from '@connectrpc/connect';
import { admit } from '../access/admit.ts';
import type { Policies } from '../access/policy.ts';
import { callerKey, contextValue } from '../context.ts';

/** Who may call what, as the contract says. */
export const access =
  (policies: Policies): Interceptor =>
  (next) =>
  (request) => {
    const policy = policies.of(request);
    if (!policy.isPublic)
      admit(contextValue(request.contextValues, callerKey), policy, request.header.get('x-scan-audit-org'));
    return next(request);
  };
