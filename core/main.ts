import { ConfigError } from '../kit/config.ts';
import { createLogger, type Logger } from '../kit/logger.ts';
import { startOperations } from '../kit/operations.ts';
import { drainOnSignal } from '../kit/shutdown.ts';
import { build } from './build.ts';
import { type Config, loadConfig } from './config.ts';
import { migrate } from './db/migrate.ts';
import { createOrm } from './db/orm.ts';
import { assertUnprivileged } from './db/privileges.ts';
import { issueKey } from './keys/issue-key.ts';

const usage = `Usage:
  node core/main.ts                       serve
  node core/main.ts issue-operator-key    apply migrations and print a new operator key`;

async function prepareDatabase({ databaseOwnerUrl, build: { databaseUrl } }: Config, log: Logger): Promise<void> {
  if (databaseOwnerUrl) {
    const applied = await migrate({ ownerUrl: databaseOwnerUrl, url: databaseUrl, log });
    if (applied.length > 0) log.info({ applied }, 'migrated');
  }
  const orm = createOrm({ url: databaseUrl, log });
  try {
    await assertUnprivileged(orm.em.fork());
  } finally {
    await orm.close(true);
  }
}

async function serve(config: Config, log: Logger): Promise<void> {
  await prepareDatabase(config, log);
  const program = build({ ...config.build, log });
  const operations = await startOperations({ port: config.operationsPort, ready: program.missing });
  program.registerMetrics(operations.registry);
  drainOnSignal(log, async () => {
    await program.close();
    await operations.close();
  });
  const port = await program.listen(config.host, config.port);
  console.log(JSON.stringify({ ready: 'core', port, operationsPort: operations.port }));
}

async function issueOperatorKey(config: Config, log: Logger): Promise<void> {
  await prepareDatabase(config, log);
  const orm = createOrm({ url: config.build.databaseUrl, log });
  try {
    const key = { kind: 'operator', orgId: '', name: 'issued on the command line', scopes: [] } as const;
    console.log((await issueKey(orm.em, key)).secret);
  } finally {
    await orm.close(true);
  }
}

const commands: Record<string, (config: Config, log: Logger) => Promise<void>> = {
  serve,
  'issue-operator-key': issueOperatorKey,
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
