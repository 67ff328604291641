import type { EntityManager } from '@mikro-orm/postgresql';
import { ConfigError } from '../kit/config.ts';
import { createLogger, type Logger } from '../kit/logger.ts';
import { startOperations } from '../kit/operations.ts';
import { drainOnSignal } from '../kit/shutdown.ts';
import { build } from './build.ts';
import { type CoreConfig, loadConfig } from './config.ts';
import { createCipher } from './crypto.ts';
import { migrate } from './db/migrate.ts';
import { createOrm } from './db/orm.ts';
import { assertUnprivileged } from './db/privileges.ts';
import { entities } from './entities.ts';
import { rotateEncryption } from './housekeeping/rotate-encryption.ts';
import { issueKey } from './keys/issue-key.ts';

/** Longer than the time that calls in progress have to end. */
const drainTimeoutMs = 15_000;

const usage = `Usage:
  node core/main.ts                       serve
  node core/main.ts issue-operator-key    apply migrations and print a new operator key
  node core/main.ts rotate-encryption     encrypt all stored secrets with the first of ENCRYPTION_KEYS`;

async function prepareDatabase(config: CoreConfig, log: Logger): Promise<void> {
  const { databaseOwnerUrl: ownerUrl, build } = config;
  if (ownerUrl) {
    const tls = build.databaseTls && { tls: build.databaseTls };
    const applied = await migrate({ ownerUrl, url: build.databaseUrl, ...tls, log });
    if (applied.length > 0) log.info({ applied }, 'migrated');
  }
  await withDatabase(config, log, (em) => assertUnprivileged(em.fork()));
}

async function withDatabase<T>(
  { build }: CoreConfig,
  log: Logger,
  work: (em: EntityManager) => Promise<T>,
): Promise<T> {
  const orm = createOrm({
    entities,
    url: build.databaseUrl,
    ...(build.databaseTls && { tls: build.databaseTls }),
    log,
  });
  try {
    return await work(orm.em);
  } finally {
    await orm.close(true);
  }
}

async function serve(config: CoreConfig, log: Logger): Promise<void> {
  await prepareDatabase(config, log);
  const program = build({ ...config.build, drainDelayMs: config.drainDelayMs, log });
  const operations = await startOperations({
    host: config.operationsHost,
    port: config.operationsPort,
    ready: program.missing,
  });
  program.registerMetrics(operations.registry);
  drainOnSignal(
    log,
    async () => {
      await program.close();
      await operations.close();
    },
    drainTimeoutMs + config.drainDelayMs,
  );
  const port = await program.listen(config.host, config.port);
  console.log(JSON.stringify({ ready: 'core', port, operationsPort: operations.port }));
}

async function issueOperatorKey(config: CoreConfig, log: Logger): Promise<void> {
  await prepareDatabase(config, log);
  const key = { kind: 'operator', orgId: '', name: 'issued on the command line', scopes: [] } as const;
  console.log((await withDatabase(config, log, (em) => issueKey(em, key))).secret);
}

async function rotate(config: CoreConfig, log: Logger): Promise<void> {
  await prepareDatabase(config, log);
  const cipher = createCipher(config.build.encryptionKeys);
  const result = await withDatabase(config, log, (em) => rotateEncryption(em, cipher));
  const { rotated, current, unreadable } = result;
  console.log(`${rotated} secrets were encrypted anew with the key "${cipher.currentId}"; ${current} had been before.`);
  if (unreadable.length === 0) return;
  for (const { place, reason } of unreadable) console.error(`  ${place}: ${reason}`);
  throw new ConfigError(
    `${unreadable.length} secrets cannot be read with ENCRYPTION_KEYS. Give the keys that they name, or have these logins stored again; remove no key before.`,
  );
}

const commands: Record<string, (config: CoreConfig, log: Logger) => Promise<void>> = {
  serve,
  'issue-operator-key': issueOperatorKey,
  'rotate-encryption': rotate,
};

const command = commands[process.argv[2] ?? 'serve'];
if (!command || process.argv.length > 3) {
  console.error(usage);
  process.exit(2);
}
try {
  const config = loadConfig(process.env);
  await command(config, createLogger('core', config.logLevel));
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exit(1);
}
