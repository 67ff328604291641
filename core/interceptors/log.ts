import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import {
  Code,
  ConnectError,
  type ContextValues,
  type Interceptor,
  type StreamRequest,
  type UnaryRequest,
} from '@connectrpc/connect';
import {
  addressKey,
  answerHeadersKey,
  type Core,
  callerKey,
  coreKey,
  logKey,
  peerAddressKey,
  requestIdKey,
} from '../context.ts';
import { isUuid } from '../ids.ts';
import type { RpcMetrics } from '../metrics.ts';
import { onEnd } from './stream.ts';

/** A request id that another program gave; anything else is replaced, so that logs cannot be forged. */
const acceptedId = /^[\w.-]{1,64}$/;

/**
 * Outermost: names the call, logs and counts how it ended, and puts the headers that inner interceptors
 * have set aside on every answer, error or not.
 */
export const log =
  (core: Core, metrics: RpcMetrics): Interceptor =>
  (next) =>
  async (request) => {
    const given = request.header.get('x-request-id') ?? '';
    const requestId = acceptedId.test(given) ? given : randomUUID();
    const rpc = `${request.service.typeName}/${request.method.name}`;
    const logger = core.log.child({ requestId, rpc, ...runOf(request) });
    const answerHeaders = new Headers({ 'x-request-id': requestId });
    request.contextValues
      .set(coreKey, core)
      .set(logKey, logger)
      .set(requestIdKey, requestId)
      .set(addressKey, addressOf(request))
      .set(answerHeadersKey, answerHeaders);
    const startedAt = performance.now();
    const end = (error?: unknown) => {
      const code = error === undefined ? 'ok' : Code[ConnectError.from(error).code];
      const ms = performance.now() - startedAt;
      metrics.calls.observe({ rpc, code }, ms / 1000);
      const keyId = request.contextValues.get(callerKey)?.keyId;
      logger[error === undefined ? 'debug' : 'info']({ code, ms: Math.round(ms), keyId }, 'answered');
    };
    try {
      const response = await next(request);
      copy(answerHeaders, response.header);
      if (response.stream) return { ...response, message: onEnd(response.message, end) };
      end();
      return response;
    } catch (error) {
      if (error instanceof ConnectError) copy(answerHeaders, error.metadata);
      end(error);
      throw error;
    }
  };

/** The run that a call is about. What is no id is left out: it may be anything, and of any length. */
function runOf({ message }: UnaryRequest | StreamRequest): { runId?: string } {
  const runId = 'runId' in message ? message.runId : undefined;
  return typeof runId === 'string' && isUuid(runId) ? { runId } : {};
}

/**
 * The gateway reports its caller's address. Other programs that may call core could send any address, which is why the log
 * names the key as well; from anywhere else core cannot be reached.
 */
function addressOf({ header, contextValues }: { header: Headers; contextValues: ContextValues }): string {
  const reported = header.get('x-scan-audit-client') ?? '';
  return isIP(reported) !== 0 ? reported : contextValues.get(peerAddressKey);
}

function copy(from: Headers, to: Headers): void {
  for (const [name, value] of from) to.set(name, value);
}
