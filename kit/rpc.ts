import type { DescService } from '@bufbuild/protobuf';
import { type Client, Code, ConnectError, createClient, type Interceptor, type Transport } from '@connectrpc/connect';
import { createConnectTransport, createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import type { Credentials } from './certificates.ts';
import { tlsFault } from './tls-fault.ts';

/** Settings of a client of core. */
export type RpcOptions = {
  /** For instance "http://127.0.0.1:7300". */
  baseUrl: string;
  /** Sent as "Authorization: Bearer …" unless the call has its own. */
  key?: string;
  /** Deadline of a unary call that names none. Milliseconds, default 10,000. */
  timeoutMs?: number;
  interceptors?: Interceptor[];
  /** Asked at each new connection. */
  tls?: () => Credentials;
};

/** Makes clients of core's services that share one HTTP/2 connection. */
export function rpcClients(options: RpcOptions): <S extends DescService>(service: S) => Client<S> {
  const authorize: Interceptor = (next) => (request) => {
    if (options.key && !request.header.has('authorization'))
      request.header.set('authorization', `Bearer ${options.key}`);
    return next(request);
  };
  const { tls = () => ({}) } = options;
  const settings = {
    baseUrl: options.baseUrl,
    httpVersion: '2' as const,
    defaultTimeoutMs: options.timeoutMs ?? 10_000,
    interceptors: [repeatRefused, explainTls(tls), authorize, ...(options.interceptors ?? [])],
    sessionManager: new Http2SessionManager(options.baseUrl, {}, secureOptions(tls)),
  };
  const [connect, grpc] = [createConnectTransport(settings), createGrpcTransport(settings)];
  // Connect's unary calls cost both sides less than gRPC's; its streams go on when their reader has left.
  const transport: Transport = { unary: connect.unary, stream: grpc.stream };
  return (service) => createClient(service, transport);
}

/** Enough for as many connections that end at once as there are servers to move between. */
const maxAttempts = 5;

/**
 * Makes a call again that was refused before anybody looked at it, as happens when it meets the notice that its
 * connection ends: the next one takes another connection. Source: RFC 9113 §8.7. A stream cannot be sent twice.
 */
const repeatRefused: Interceptor = (next) => async (request) => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await next(request);
    } catch (error) {
      if (!isRefusedStream(error)) throw error;
      if (request.stream || attempts === maxAttempts)
        throw new ConnectError('core refused the call', Code.Unavailable, undefined, undefined, error);
    }
  }
};

function isRefusedStream(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : undefined;
  const isOfStream = cause instanceof Error && 'code' in cause && cause.code === 'ERR_HTTP2_STREAM_ERROR';
  return isOfStream && cause.message.includes('NGHTTP2_REFUSED_STREAM');
}

/** Node.js reads these at each connection, so that a certificate that was replaced is the one that is shown. */
function secureOptions(tls: () => Credentials): Credentials & { minVersion: 'TLSv1.2' } {
  const own: Credentials = {};
  for (const role of ['cert', 'key', 'ca'] as const)
    Object.defineProperty(own, role, { enumerable: true, get: () => tls()[role] });
  return Object.assign(own, { minVersion: 'TLSv1.2' as const });
}

/** The cause of an error of a call for which TLS made no connection; the message says why, for operators. */
export class TlsFault extends Error {}

/** A connection that TLS prevents is one that cannot be used now, and says why. */
const explainTls =
  (tls: () => Credentials): Interceptor =>
  (next) =>
  async (request) => {
    try {
      return await next(request);
    } catch (error) {
      const fault = tlsFault(error) ?? refusedAfterwards(error, request.signal, tls());
      if (fault === undefined) throw error;
      const cause = new TlsFault(fault, { cause: error });
      throw new ConnectError(`no TLS with core: ${fault}`, Code.Unavailable, undefined, undefined, cause);
    }
  };

/** In TLS 1.3 a client is done before its certificate is looked at; a server that refuses it just closes. */
function refusedAfterwards(error: unknown, signal: AbortSignal, { cert }: Credentials): string | undefined {
  const isClosed = error instanceof ConnectError && error.code === Code.Canceled && !signal.aborted;
  return cert !== undefined && isClosed
    ? 'it closed the connection, and may not accept the client certificate'
    : undefined;
}
