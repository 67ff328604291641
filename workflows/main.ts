import { setFlagsFromString } from 'node:v8';
import { ConfigError } from '../kit/config.ts';
import { createLogger } from '../kit/logger.ts';
import { startOperations } from '../kit/operations.ts';
import { drainOnSignal } from '../kit/shutdown.ts';
import { build } from './build.ts';
import { RegistryError } from './checks/registry.ts';
import { loadConfig } from './config.ts';

/** Longer than the workers' own grace time. */
const drainTimeoutMs = 20_000;

// An audit reads much that it forgets at once. Left to itself V8 lets such heaps grow to a multiple of what is in use;
// collecting sooner saves a third of the worker's memory and costs a scan no time that could be measured.
setFlagsFromString('--heap-growing-percent=25');

try {
  const config = loadConfig(process.env);
  const logger = createLogger('worker', config.logLevel);
  const program = await build(config, logger);
  const operations = await startOperations({
    host: config.operationsHost,
    port: config.operationsPort,
    ready: program.missing,
  });
  program.registerMetrics(operations.registry);
  drainOnSignal(
    logger,
    async () => {
      await program.close();
      await operations.close();
    },
    drainTimeoutMs,
  );
  if (await program.start()) {
    console.log(JSON.stringify({ ready: 'worker', operationsPort: operations.port }));
    // A worker that failed cannot go on by itself; whoever keeps this program starts it again.
    await program.failed;
  }
} catch (error) {
  const isSetUp = error instanceof ConfigError || error instanceof RegistryError;
  console.error(isSetUp ? error.message : error);
  process.exit(1);
}
