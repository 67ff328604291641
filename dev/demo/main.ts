import { join } from 'node:path';
import { z } from 'zod';
import { address, ConfigError, flag, port, readConfig } from '../../kit/config.ts';
import { createLogger } from '../../kit/logger.ts';
import { drainOnSignal } from '../../kit/shutdown.ts';
import { startDemo } from './demo.ts';

const logger = createLogger('demo', 'info');

try {
  const config = readConfig(
    {
      DEMO_PORT: port(0),
      DEMO_DNS_PORT: port(0),
      DNS_SERVER: address().optional(),
      DEMO_HOME: z.string().optional(),
      SCAN_AUDIT_HOME: z.string().default('.data'),
      DEMO_PATCHED: flag(false),
      DEMO_SESSION_SECRET: z.string().min(32, 'use at least 32 characters').optional(),
    },
    process.env,
  );
  const demo = await startDemo({
    folder: config.DEMO_HOME ?? join(config.SCAN_AUDIT_HOME, 'demo'),
    port: config.DEMO_PORT,
    dnsPort: config.DEMO_DNS_PORT,
    resolver: config.DNS_SERVER,
    patched: config.DEMO_PATCHED,
    sessionSecret: config.DEMO_SESSION_SECRET,
  });
  drainOnSignal(logger, () => demo.close());
  const { url, caFile, dnsServer } = demo;
  process.stdout.write(`${JSON.stringify({ ready: 'demo', url, caFile, dnsServer })}\n`);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
