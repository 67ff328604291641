import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrm } from '../../../core/db/orm.ts';
import { entities } from '../../../core/entities.ts';
import { issueKey } from '../../../core/keys/issue-key.ts';
import { type RunningProgram, readyLine, startProgram } from '../../../dev/process.ts';
import { createLogger } from '../../../kit/logger.ts';
import { nodeFlags } from '../../../kit/node-flags.ts';
import { atBatchEnd } from '../../support/batch-end.ts';
import { migratedDatabase, testTemporal } from '../../support/servers.ts';

export type Environment = Record<string, string | undefined>;

/** A core without an org, over a database of its own, and what starts other programs beside it. */
export type CoreProgram = Awaited<ReturnType<typeof startCoreProgram>>;

export type CoreOptions = {
  /** The shared server when not given. */
  temporalAddress?: string;
  /** Of all programs. */
  logLevel?: string;
};

export async function startCoreProgram(options: CoreOptions) {
  const database = await migratedDatabase();
  const temporalAddress = options.temporalAddress ?? (await testTemporal()).address;
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-installation-'));
  const programs = new Map<string, RunningProgram>();
  const encryptionKey = randomBytes(32);
  const shared = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    TEMPORAL_ADDRESS: temporalAddress,
    TASK_QUEUE_PREFIX: `test-${randomUUID()}`,
    OPERATIONS_PORT: '0',
    ...(options.logLevel === undefined ? {} : { LOG_LEVEL: options.logLevel }),
  };
  const start = async (name: string, path: string, env: Environment) => {
    const logFile = join(folder, `${name}.log`);
    const program = await startProgram({
      name,
      command: process.execPath,
      args: [...nodeFlags(path), join(import.meta.dirname, '../../..', path)],
      env: { ...shared, ...env },
      logFile,
    });
    programs.set(name, program);
    return { program, logFile };
  };
  const coreEnv = (port: string): Environment => ({
    DATABASE_URL: database.appUrl,
    DATABASE_OWNER_URL: database.ownerUrl,
    ENCRYPTION_KEYS: `test:${encryptionKey.toString('base64')}`,
    CORE_PORT: port,
  });
  const startCore = async (port = '0') => {
    const { program, logFile } = await start('core', 'core/main.ts', coreEnv(port));
    return await readyLine(program, logFile);
  };

  const operatorKey = await issueOperatorKey(database.appUrl);
  const ready = await startCore();
  const corePort = String(ready.port);
  const baseUrl = `http://127.0.0.1:${corePort}`;

  return {
    temporalAddress,
    queuePrefix: shared.TASK_QUEUE_PREFIX,
    baseUrl,
    operatorKey,
    encryptionKey,
    operationsPort: Number(ready.operationsPort),
    databaseUrl: database.ownerUrl,
    start,
    log: (name: string) => readFile(join(folder, `${name}.log`), 'utf8'),
    program: (name: string) => programs.get(name),
    restart: () => startCore(corePort),
    /** A core of a name of its own over the same database. */
    async startCoreAs(name: string, env: Environment = {}) {
      const { program, logFile } = await start(name, 'core/main.ts', { ...coreEnv('0'), ...env });
      const ready = await readyLine(program, logFile);
      return { program, port: Number(ready.port), operationsPort: Number(ready.operationsPort) };
    },
    async close() {
      await Promise.all([...programs.values()].map((program) => program.stop()));
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** As core's command line does, without a process of its own. */
async function issueOperatorKey(url: string): Promise<string> {
  const orm = createOrm({ entities, url, log: createLogger('test', 'silent') });
  try {
    return (await issueKey(orm.em, { kind: 'operator', orgId: '', name: 'test', scopes: [] })).secret;
  } finally {
    await orm.close(true);
  }
}

/** The core of all workbenches of a batch of test files. */
let kept: Promise<CoreProgram> | undefined;

/** @returns a core for a workbench; a batch has one, whose `close` leaves it as it is */
export async function workbenchCore(): Promise<CoreProgram> {
  if (!kept) {
    const core = startCoreProgram({});
    const end = async () => {
      kept = undefined;
      await (await core).close();
    };
    if (!atBatchEnd(end)) return await core;
    kept = core;
  }
  return { ...(await kept), close: async () => {} };
}
