import type { ServiceImpl } from '@connectrpc/connect';
import type { CallbackService } from '../../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { deps } from '../context.ts';
import { awaitCallbacks } from './await-callbacks.ts';
import { recordCallbacks } from './record-callbacks.ts';

export const callbackService: ServiceImpl<typeof CallbackService> = {
  recordCallbacks: async ({ callbacks }, ctx) => ({ accepted: await recordCallbacks(deps(ctx).em, callbacks) }),
  awaitCallbacks: async (request, ctx) => {
    const { em, signal } = deps(ctx);
    return { callbacks: await awaitCallbacks(em, request, signal) };
  },
};
