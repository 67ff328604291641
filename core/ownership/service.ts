import type { ServiceImpl } from '@connectrpc/connect';
import type { OwnershipService } from '../../proto/gen/scanaudit/v1/ownership_pb.ts';
import { deps } from '../context.ts';
import { checkForRun, dueChecks, findCheck, recordCheck } from './checks.ts';

/** The worker's API for proofs of ownership: see proto/scanaudit/v1/ownership.proto. */
export const ownershipService: ServiceImpl<typeof OwnershipService> = {
  getCheck: async ({ checkId }, ctx) => {
    const { domain, method, token } = await findCheck(deps(ctx).em, checkId);
    return { checkId, domain, method, token };
  },
  recordCheck: async (request, ctx) => {
    const { em, dispatcher } = deps(ctx);
    const { state } = await recordCheck(em, request);
    dispatcher.wake();
    return { proven: state === 'found' };
  },
  requireCheck: async ({ runId }, ctx) => ({ checkId: (await checkForRun(deps(ctx).em, runId))?.id ?? '' }),
  listDueChecks: async ({ limit }, ctx) => {
    return { checkIds: await dueChecks(deps(ctx).em, limit) };
  },
};
