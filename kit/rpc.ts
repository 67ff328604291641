import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';

/** Settings of a client of core. */
export type RpcOptions = {
  /** For instance "http://127.0.0.1:7300". */
  baseUrl: string;
  /** Sent as "Authorization: Bearer …" unless the call has its own. */
  key?: string;
  /** Deadline of a unary call that names none. Milliseconds, default 10,000. */
  timeoutMs?: number;
  interceptors?: Interceptor[];
};

/** Makes clients of core's services that share one HTTP/2 connection. */
export function rpcClients(options: RpcOptions): <S extends DescService>(service: S) => Client<S> {
  const authorize: Interceptor = (next) => (request) => {
    if (options.key && !request.header.has('authorization'))
      request.header.set('authorization', `Bearer ${options.key}`);
    return next(request);
  };
  const transport = createGrpcTransport({
    baseUrl: options.baseUrl,
    defaultTimeoutMs: options.timeoutMs ?? 10_000,
    interceptors: [authorize, ...(options.interceptors ?? [])],
  });
  return (service) => createClient(service, transport);
}
