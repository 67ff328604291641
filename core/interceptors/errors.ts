import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';
import type { Logger } from '../../kit/logger.ts';
import { contextValue, logKey } from '../context.ts';
import { isDatabaseDown, isLostRace, isStatementTimeout } from '../db/failures.ts';
import { Refusal, toConnectError } from '../errors.ts';
import { mapError } from './stream.ts';

/** Turns whatever went wrong into what the caller may see; the log gets the rest, with its stack. */
export const errors: Interceptor = (next) => async (request) => {
  const logger = contextValue(request.contextValues, logKey);
  const map = (error: unknown) => translate(error, request.signal, logger);
  try {
    const response = await next(request);
    return response.stream ? { ...response, message: mapError(response.message, map) } : response;
  } catch (error) {
    throw map(error);
  }
};

function translate(error: unknown, signal: AbortSignal, logger: Logger): ConnectError {
  if (error instanceof Refusal) return toConnectError(error);
  if (isDeadline(error) || isDeadline(signal.reason)) return toConnectError(new Refusal('TIMEOUT'));
  // The client went away, or what it sent is not what the protocol says: Connect has the words for it.
  if (error instanceof ConnectError && error.code !== Code.Internal && error.code !== Code.Unknown) return error;
  if (signal.aborted) return new ConnectError('The call was canceled.', Code.Canceled);
  if (isDatabaseDown(error)) {
    logger.error({ err: error }, 'PostgreSQL cannot be used');
    return toConnectError(new Refusal('UNAVAILABLE', { retryAfterMs: 1_000 }));
  }
  if (isLostRace(error)) {
    logger.warn({ err: error }, 'PostgreSQL ended a transaction for another one');
    return toConnectError(new Refusal('UNAVAILABLE', { retryAfterMs: 100 }));
  }
  if (isStatementTimeout(error)) {
    logger.error({ err: error }, 'PostgreSQL took too long');
    return toConnectError(new Refusal('TIMEOUT'));
  }
  logger.error({ err: error }, 'unexpected error');
  return toConnectError(new Refusal('INTERNAL'));
}

const isDeadline = (error: unknown): boolean => error instanceof ConnectError && error.code === Code.DeadlineExceeded;
