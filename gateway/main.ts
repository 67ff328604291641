import type { AddressInfo } from 'node:net';
import { ConnectError } from '@connectrpc/connect';
import { Histogram } from 'prom-client';
import { followCredentials } from '../kit/certificates.ts';
import { ConfigError } from '../kit/config.ts';
import { createLogger } from '../kit/logger.ts';
import { startOperations } from '../kit/operations.ts';
import { rpcClients, TlsFault } from '../kit/rpc.ts';
import { drainOnSignal } from '../kit/shutdown.ts';
import { Health, HealthCheckResponse_ServingStatus } from '../proto/gen/health/v1/health_pb.ts';
import { ScanService } from '../proto/gen/scanaudit/v1/scans_pb.ts';
import { build } from './app.ts';
import { type GatewayConfig, loadConfig } from './config.ts';

/** A gate may be waited for as long as 65 seconds, and no request in progress may fail. */
const drainTimeoutMs = 75_000;

async function serve(config: GatewayConfig): Promise<void> {
  const logger = createLogger('gateway', config.logLevel);
  const coreTls = config.coreTls && followCredentials(config.coreTls, logger);
  const clients = rpcClients({ baseUrl: config.coreUrl, ...(coreTls && { tls: coreTls }) });
  const health = clients(Health);
  let isDraining = false;

  const operations = await startOperations({
    host: config.operationsHost,
    port: config.operationsPort,
    ready: async (): Promise<Record<string, string>> => {
      if (isDraining) return { gateway: 'draining' };
      // Not the whole of core: scans are read and accepted while Temporal is down.
      const core = await health.check({ service: ScanService.typeName }, { timeoutMs: 2_000 }).catch(reasonOf);
      if (typeof core === 'string') return { core };
      return core.status === HealthCheckResponse_ServingStatus.SERVING ? {} : { core: 'is not serving' };
    },
  });
  const durations = new Histogram({
    name: 'gateway_request_duration_seconds',
    help: 'Time from a request to its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [operations.registry],
  });
  const { app, drain } = await build({
    clients,
    logger,
    ...(config.tls && { tls: followCredentials(config.tls, logger) }),
    trustedProxies: config.trustedProxies,
    maxFailedKeysPerMinute: config.maxFailedKeysPerMinute,
    durations,
    drainDelayMs: config.drainDelayMs,
  });
  drainOnSignal(
    logger,
    async () => {
      isDraining = true;
      await drain();
      await operations.close();
    },
    drainTimeoutMs + config.drainDelayMs,
  );
  await app.listen({ host: config.host, port: config.port });
  const { port } = app.server.address() as AddressInfo;
  console.log(JSON.stringify({ ready: 'gateway', port, operationsPort: operations.port }));
}

/** For operators, who see why TLS failed; addresses and the like stay in the log. */
function reasonOf(error: unknown): string {
  const { cause, rawMessage } = ConnectError.from(error);
  return cause instanceof TlsFault ? `cannot be reached: ${rawMessage}` : 'cannot be reached';
}

try {
  await serve(loadConfig(process.env));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
