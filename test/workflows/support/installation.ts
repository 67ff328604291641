import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readyLine } from '../../../dev/process.ts';
import { rpcClients } from '../../../kit/rpc.ts';
import { CreditService } from '../../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../../proto/gen/scanaudit/v1/orgs_pb.ts';
import { type Scan, ScanService, ScanStatus } from '../../../proto/gen/scanaudit/v1/scans_pb.ts';
import { type CoreOptions, type CoreProgram, type Environment, startCoreProgram } from './core-program.ts';

const scopes = ['scans:read', 'scans:write', 'domains:write', 'org:write'];
const terminal: readonly ScanStatus[] = [ScanStatus.COMPLETED, ScanStatus.FAILED, ScanStatus.CANCELED];
export const grantedCredits = 100;

/** The real core and worker as programs of their own, over a database of the test's own. */
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** @param options.host the audited host; its name leads to this machine */
export async function openInstallation({ host, ...options }: CoreOptions & { host: string }) {
  return await openOrg(await startCoreProgram(options), host);
}

/** An org of a core, with credit, keys and the domain of `host`, and the programs that serve it. */
export async function openOrg(core: CoreProgram, host: string) {
  const { baseUrl, start } = core;
  const operator = rpcClients({ baseUrl, key: core.operatorKey });
  const { orgId } = await operator(OrgService).createOrg({ name: 'Example', plan: 'test' });
  const issue = async (kind: KeyKind, org: { orgId?: string; scopes?: string[] } = {}) =>
    (await operator(KeyService).issueKey({ kind, name: 'test', ...org })).secret;
  await operator(DomainService).approveDomain({ orgId, domain: host, includeSubdomains: true });
  const grant = { orgId, amount: grantedCredits, reason: 'test', idempotencyKey: 'test' };
  await operator(CreditService).grantCredits(grant);
  const workerKey = await issue(KeyKind.WORKER);
  const apiKey = await issue(KeyKind.ORG, { orgId, scopes });
  const org = rpcClients({ baseUrl, key: apiKey });
  const scans = org(ScanService);

  const workerEnv: Environment = {
    CORE_URL: baseUrl,
    WORKER_KEY: workerKey,
    TARGET_ALLOW: `${host}=127.0.0.0/8`,
    REQUESTS_PER_SECOND: '500',
    LIBRARY_DATA_URL: 'off',
  };

  return {
    scans,
    domains: org(DomainService),
    orgs: org(OrgService),
    operator,
    orgId,
    temporalAddress: core.temporalAddress,
    queuePrefix: core.queuePrefix,
    coreUrl: baseUrl,
    workerKey,
    apiKey,
    operatorKey: core.operatorKey,
    encryptionKey: core.encryptionKey,
    coreOperationsPort: core.operationsPort,
    databaseUrl: core.databaseUrl,
    log: core.log,
    program: core.program,
    restartCore: core.restart,
    startCoreAs: core.startCoreAs,
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
    async until(runId: string, holds: (scan: Scan) => boolean, timeoutMs = 480_000): Promise<Scan> {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const scan = await scans.getScan({ runId }).catch(() => undefined);
        if (scan && holds(scan)) return scan;
        if (Date.now() > deadline)
          throw new Error(`the scan is ${JSON.stringify(scan?.phase)} ${scan?.status} after ${timeoutMs} ms`);
        await sleep(200);
      }
    },
    close: core.close,
  };
}

export const hasEnded = ({ status }: Scan): boolean => terminal.includes(status);
