import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError, type ConnectRouter } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { build, type Gateway, type GatewayDeps } from '../../gateway/app.ts';
import { createLogger } from '../../kit/logger.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { ErrorInfoSchema } from '../../proto/gen/google/rpc/error_details_pb.ts';

type CoreUnderTest = { baseUrl: string; port: number; stop(): Promise<void> };
export type GatewayUnderTest = {
  baseUrl: string;
  corePort: number;
  gateway: Gateway;
  stopCore(): Promise<void>;
  close(): Promise<void>;
};

/** A gRPC server on a free port, whose answers the test decides. */
export async function startCore(routes: (router: ConnectRouter) => void, wantedPort = 0): Promise<CoreUnderTest> {
  const server = createServer(connectNodeAdapter({ routes }));
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => sessions.add(session));
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, port, stop: () => stop(server, sessions) };
}

/** A gateway on a free port, in front of a gRPC server whose answers the test decides. */
export async function startGateway(
  routes: (router: ConnectRouter) => void,
  settings: Partial<GatewayDeps> = {},
): Promise<GatewayUnderTest> {
  const core = await startCore(routes);
  const gateway = await build({
    clients: rpcClients({ baseUrl: core.baseUrl }),
    logger: createLogger('gateway', 'silent'),
    trustedProxies: [],
    maxFailedKeysPerMinute: 1_000,
    ...settings,
  });
  const baseUrl = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  return {
    baseUrl,
    gateway,
    corePort: core.port,
    stopCore: core.stop,
    close: async () => {
      await gateway.drain();
      await core.stop();
    },
  };
}

async function stop(server: Http2Server, sessions: Set<ServerHttp2Session>): Promise<void> {
  if (!server.listening) return;
  for (const session of sessions) session.destroy();
  await new Promise((resolve) => server.close(resolve));
}

/** A refusal as core sends it. */
export function refusal(code: Code, reason: string): ConnectError {
  const error = new ConnectError(reason, code);
  error.details.push({ desc: ErrorInfoSchema, value: { reason, domain: 'scanaudit' } });
  return error;
}

export const missingKey = () => refusal(Code.Unauthenticated, 'MISSING_KEY');
