import type { Interceptor } from '@connectrpc/connect';
import { callerKey, contextValue, emKey } from '../context.ts';
import { Refusal } from '../errors.ts';
import { findCaller } from '../keys/find-caller.ts';

/** A call that lasts longer is asked for its key again, this often. */
const lookMs = 1_000;

/** Ends a call that waits when its key is revoked or expires meanwhile. Most calls are over before the first look. */
export const endWithKey: Interceptor = (next) => async (request) => {
  const { contextValues, header } = request;
  if (!contextValues.get(callerKey)) return next(request);
  const em = contextValue(contextValues, emKey);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const look = () =>
    findCaller(em.fork(), header.get('authorization'), null).catch((error: unknown) => {
      // A database that cannot be asked ends no call: the call will notice itself.
      if (error instanceof Refusal) reject(error);
    });
  const timer = setInterval(look, lookMs);
  try {
    return await Promise.race([next(request), ended]);
  } finally {
    clearInterval(timer);
  }
};
