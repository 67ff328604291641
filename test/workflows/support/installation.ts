import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOrm } from '../../../core/db/orm.ts';
import { entities } from '../../../core/entities.ts';
import { issueKey } from '../../../core/keys/issue-key.ts';
import { type RunningProgram, readyLine, startProgram } from '../../../dev/process.ts';
import { createLogger } from '../../../kit/logger.ts';
import { rpcClients } from '../../../kit/rpc.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { type Scan, ScanService, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { migratedDatabase, testTemporal } from '../../support/servers.ts';

const scopes = ['scans:read', 'scans:write', 'domains:write', 'org:write'];
const terminal: readonly ScanStatus[] = [ScanStatus.COMPLETED, ScanStatus.FAILED, ScanStatus.CANCELED];
export const grantedCredits = 100;

/** The real core and worker as programs of their own, over a database of the test's own. */
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/**
 * @param options.host the audited host; its name leads to this machine
 * @param options.temporalAddress the shared server when not given
 * @param options.logLevel of both programs
 */
export async function openInstallation(options: { host: string; temporalAddress?: string; logLevel?: string }) {
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
      args: [join(import.meta.dirname, '../../..', path)],
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
  const operator = rpcClients({ baseUrl, key: operatorKey });
  const { orgId } = await operator(OrgService).createOrg({ name: 'Example', plan: 'test' });
  const issue = async (kind: KeyKind, org: { orgId?: string; scopes?: string[] } = {}) =>
    (await operator(KeyService).issueKey({ kind, name: 'test', ...org })).secret;
  await operator(DomainService).approveDomain({ orgId, domain: options.host, includeSubdomains: true });
  const grant = { orgId, amount: grantedCredits, reason: 'test', idempotencyKey: 'test' };
  await operator(CreditService).grantCredits(grant);
  const workerKey = await issue(KeyKind.WORKER);
  const apiKey = await issue(KeyKind.ORG, { orgId, scopes });
  const org = rpcClients({ baseUrl, key: apiKey });
  const scans = org(ScanService);

  const workerEnv: Environment = {
    CORE_URL: baseUrl,
    WORKER_KEY: workerKey,
    TARGET_ALLOW: `${options.host}=127.0.0.0/8`,
    REQUESTS_PER_SECOND: '500',
    LIBRARY_DATA_URL: 'off',
  };

  return {
    scans,
    domains: org(DomainService),
    orgs: org(OrgService),
    operator,
    orgId,
    temporalAddress,
    queuePrefix: shared.TASK_QUEUE_PREFIX,
    coreUrl: baseUrl,
    workerKey,
    apiKey,
    operatorKey,
    encryptionKey,
    coreOperationsPort: Number(ready.operationsPort),
    databaseUrl: database.ownerUrl,
    log: (name: string) => readFile(join(folder, `${name}.log`), 'utf8'),
    program: (name: string) => programs.get(name),
    restartCore: () => startCore(corePort),
    /** A core of a name of its own over the same database. */
    async startCoreAs(name: string, env: Environment = {}) {
      const { program, logFile } = await start(name, 'core/main.ts', { ...coreEnv('0'), ...env });
      const ready = await readyLine(program, logFile);
      return { program, port: Number(ready.port), operationsPort: Number(ready.operationsPort) };
    },
    async startWorker(name = 'worker', env: Environment = {}) {
      const { program, logFile } = await start(name, 'workflows/main.ts', { ...workerEnv, ...env });
      return { program, ready: await readyLine(program, logFile) };
    },
    /** @returns what a worker needs to send it callbacks */
    async startListener(name = 'listener'): Promise<{ CALLBACK_HOST: string; CALLBACK_SECRET: string }> {
      const CALLBACK_SECRET = randomUUID();
      const LISTENER_KEY = await issue(KeyKind.LISTENER);
      const own = { CORE_URL: baseUrl, LISTENER_KEY, CALLBACK_SECRET, LISTENER_HTTP_PORT: '0' };
      const { program, logFile } = await start(name, 'listener/main.ts', own);
      const { ports } = (await readyLine(program, logFile)) as { ports: { http: number } };
      return { CALLBACK_HOST: `127.0.0.1:${ports.http}`, CALLBACK_SECRET };
    },
    /** @returns where it serves REST, and its operations port */
    async startGateway(name = 'gateway', env: Environment = {}) {
      const own = { CORE_URL: baseUrl, GATEWAY_PORT: '0', ...env };
      const { program, logFile } = await start(name, 'gateway/main.ts', own);
      const ready = await readyLine(program, logFile);
      const url = (port: number) => `http://127.0.0.1:${port}`;
      const [port, operationsPort] = [Number(ready.port), Number(ready.operationsPort)];
      return { program, url: url(port), port, operationsPort };
    },
    /** A worker that nobody waits for. Its log is that of "lonely". */
    spawnWorker: (env: Environment) => start('lonely', 'workflows/main.ts', { ...workerEnv, ...env }),
    /** The scan once it is as wanted. @throws Error after `timeoutMs` */
    async until(runId: string, holds: (scan: Scan) => boolean, timeoutMs = 240_000): Promise<Scan> {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const scan = await scans.getScan({ runId }).catch(() => undefined);
        if (scan && holds(scan)) return scan;
        if (Date.now() > deadline)
          throw new Error(`the scan is ${JSON.stringify(scan?.phase)} ${scan?.status} after ${timeoutMs} ms`);
        await sleep(100);
      }
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

type Environment = Record<string, string | undefined>;

export const isOver = ({ status }: Scan): boolean => terminal.includes(status);
