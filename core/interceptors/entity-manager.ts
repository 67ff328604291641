import type { Interceptor } from '@connectrpc/connect';
import { type Core, emKey } from '../context.ts';

/** A call has an identity map of its own. */
export const entityManager =
  (core: Core): Interceptor =>
  (next) =>
  (request) => {
    request.contextValues.set(emKey, core.em.fork());
    return next(request);
  };
