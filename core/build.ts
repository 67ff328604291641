import type { Registry } from 'prom-client';
import { type CredentialFiles, type Credentials, followCredentials } from '../kit/certificates.ts';
import type { Logger } from '../kit/logger.ts';
import type { TemporalSettings } from '../kit/temporal-settings.ts';
import { readPolicies } from './access/policy.ts';
import type { Core } from './context.ts';
import { createCipher, type EncryptionKey } from './crypto.ts';
import { createOrm } from './db/orm.ts';
import { startDispatcher } from './dispatch/dispatcher.ts';
import { connectTemporal } from './dispatch/temporal.ts';
import { entities } from './entities.ts';
import { createReadiness, type Missing } from './health.ts';
import { startHousekeeping } from './housekeeping/housekeeping.ts';
import { registerMetrics, rpcMetrics } from './metrics.ts';
import { routesOf } from './routes.ts';
import { createRpcServer } from './server.ts';
import { createServices, type Service } from './services.ts';

export type BuildOptions = {
  /** The application's role, which row level security binds. */
  databaseUrl: string;
  databasePoolSize?: number;
  /** Switches TLS to PostgreSQL on, as `sslmode` in the URL does. */
  databaseTls?: Credentials;
  temporal: TemporalSettings;
  encryptionKeys: readonly EncryptionKey[];
  checkoutUrl?: string;
  /** Core's own certificate, and authorities that clients must come from. Plain text when not given. */
  tls?: CredentialFiles;
  /** How long the end is announced before nothing new is taken. Milliseconds, default 0. */
  drainDelayMs?: number;
  log: Logger;
  /** Only tests serve others than the program's own. */
  services?: readonly Service[];
};

export type CoreProgram = {
  core: Core;
  /** @returns the port that is listened on */
  listen(host: string, port: number): Promise<number>;
  /** What the program needs and does not have. */
  missing(): Promise<Missing>;
  registerMetrics(registry: Registry): void;
  /** Drains: calls in progress end, then everything is closed. */
  close(): Promise<void>;
};

/**
 * Puts the program together. Connects to nothing that is not asked for yet, so PostgreSQL and Temporal may be down.
 * @throws Error when an RPC has no access option, ConfigError when a certificate cannot be used
 */
export function build(options: BuildOptions): CoreProgram {
  const { log, services = createServices() } = options;
  const policies = readPolicies(services.map(({ desc }) => desc));
  const orm = createOrm({
    entities,
    url: options.databaseUrl,
    log,
    ...(options.databasePoolSize !== undefined && { poolSize: options.databasePoolSize }),
    ...(options.databaseTls && { tls: options.databaseTls }),
  });
  const temporal = connectTemporal(options.temporal);
  const background = { em: orm.em, temporal, log };
  const dispatcher = startDispatcher(background);
  const housekeeping = startHousekeeping(background);
  const core: Core = {
    em: orm.em,
    log,
    cipher: createCipher(options.encryptionKeys),
    dispatcher,
    temporal,
    settings: { checkoutUrl: options.checkoutUrl },
  };
  const metrics = rpcMetrics();
  let isDraining = false;
  const found = createReadiness(orm.em, temporal);
  const missing = async (): Promise<Missing> => (isDraining ? { core: 'draining' } : found());
  const tls = options.tls && { credentials: followCredentials(options.tls, log), log };
  const server = createRpcServer(routesOf({ core, services, policies, metrics, missing }), tls);
  const { drainDelayMs = 0 } = options;
  return {
    core,
    listen: server.listen,
    missing,
    registerMetrics: (registry) => registerMetrics(registry, metrics, orm.em, log),
    close: async () => {
      isDraining = true;
      await server.close(drainDelayMs);
      await Promise.all([dispatcher.stop(), housekeeping.stop()]);
      await temporal.close();
      await orm.close(true);
    },
  };
}
