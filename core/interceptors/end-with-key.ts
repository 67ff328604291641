import type { Interceptor } from '@connectrpc/connect';
import { callerKey, contextValue, emKey } from '../context.ts';
import { Refusal } from '../errors.ts';
import { requireLive } from '../keys/begin-call.ts';
import { onEnd, until } from './stream.ts';

/** A call that lasts longer is asked for its key again, this often. */
const lookMs = 1_000;

/**
 * Ends a call that waits or streams when its key is revoked or expires meanwhile, and aborts its signal, so that nothing
 * goes on behind the answer. Most calls end before the first look.
 */
export const endWithKey: Interceptor = (next) => async (request) => {
  const { contextValues, header } = request;
  if (!contextValues.get(callerKey)) return next(request);
  const em = contextValue(contextValues, emKey);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when the key ends: a stream that is read slowly, for instance.
  ended.catch(() => {});
  const call = new AbortController();
  const look = () =>
    requireLive(em.fork(), header.get('authorization')).catch((error: unknown) => {
      // A database that cannot be asked ends no call: the call will notice itself.
      if (!(error instanceof Refusal)) return;
      reject(error);
      call.abort(error);
    });
  const timer = setInterval(look, lookMs);
  const stop = () => clearInterval(timer);
  // However a call ends, its signal aborts at the latest then: a stream that nobody reads ends in no other way.
  const onAbort = () => {
    stop();
    call.abort(request.signal.reason);
  };
  request.signal.addEventListener('abort', onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  try {
    const response = await Promise.race([next({ ...request, signal: call.signal }), ended]);
    if (!response.stream) stop();
    return response.stream ? { ...response, message: onEnd(until(response.message, ended), stop) } : response;
  } catch (error) {
    stop();
    throw error;
  }
};
