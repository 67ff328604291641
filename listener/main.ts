import { Gauge } from 'prom-client';
import { followCredentials } from '../kit/certificates.ts';
import { ConfigError } from '../kit/config.ts';
import { createLogger } from '../kit/logger.ts';
import { startOperations } from '../kit/operations.ts';
import { rpcClients } from '../kit/rpc.ts';
import { drainOnSignal } from '../kit/shutdown.ts';
import { Health, HealthCheckResponse_ServingStatus } from '../proto/gen/health/v1/health_pb.ts';
import { CallbackService } from '../proto/gen/scanaudit/v1/callbacks_pb.ts';
import { startListener } from './build.ts';
import { type ListenerConfig, loadConfig } from './config.ts';

async function serve(config: ListenerConfig): Promise<void> {
  const logger = createLogger('listener', config.logLevel);
  const tls = config.coreTls && followCredentials(config.coreTls, logger);
  const clients = rpcClients({ baseUrl: config.coreUrl, key: config.key, ...(tls && { tls }) });
  const health = clients(Health);
  const listener = await startListener(config, { core: clients(CallbackService), logger });
  const operations = await startOperations({
    host: config.operationsHost,
    port: config.operationsPort,
    ready: async (): Promise<Record<string, string>> => {
      const core = await health.check({}, { timeoutMs: 2_000 }).catch(() => undefined);
      return core?.status === HealthCheckResponse_ServingStatus.SERVING ? {} : { core: 'cannot be reached' };
    },
  });
  new Gauge({
    name: 'listener_lost_callbacks',
    help: 'Callbacks that could not be reported to core.',
    registers: [operations.registry],
    collect() {
      this.set(listener.lost());
    },
  });
  drainOnSignal(logger, async () => {
    await listener.close();
    await operations.close();
  });
  console.log(JSON.stringify({ ready: 'listener', ports: listener.ports, operationsPort: operations.port }));
}

try {
  await serve(loadConfig(process.env));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
