import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../dev/config.ts';
import { type RunningProgram, readyLine, startProgram } from '../../dev/process.ts';
import { nodeEnvironment, nodeFlags } from '../../kit/node-flags.ts';
import { startServers, superuserVariable, testDatabase } from '../support/servers.ts';

/** A program of ours with its ready line. */
export type Started = RunningProgram & { ready: Record<string, unknown> };

/** Gateway and core over a PostgreSQL and, when asked for, a Temporal in memory. */
export type BenchStack = {
  gatewayUrl: string;
  coreUrl: string;
  operatorKey: string;
  /** As the role that row-level security binds. */
  databaseUrl: string;
  /** Passes row-level security, to fill tables with history. */
  superuserUrl: string;
  temporalAddress: string;
  /** Starts a further program, which ends with the stack. */
  start(file: string, env: Record<string, string>): Promise<Started>;
  close(): Promise<void>;
};

/** The discard port: nothing listens on it. */
const noTemporal = '127.0.0.1:9';

/** @param options.temporal without it nothing that starts is ever dispatched */
export async function startBenchStack({ temporal }: { temporal: boolean }): Promise<BenchStack> {
  const servers = await startServers(temporal ? ['postgres', 'temporal'] : ['postgres']);
  const { superuserUrl, temporalAddress = noTemporal } = servers.addresses;
  if (!superuserUrl) throw new Error('PostgreSQL did not start');
  process.env[superuserVariable] = superuserUrl;
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-bench-'));
  const programs: RunningProgram[] = [];
  // Each is in a process group of its own, which a Ctrl-C does not reach.
  const kill = () => {
    for (const program of programs) program.kill();
  };
  process.once('exit', kill);
  const start = async (file: string, env: Record<string, string>): Promise<Started> => {
    const logFile = join(folder, `${file.replaceAll('/', '-')}-${programs.length}.log`);
    const program = await startProgram({
      name: file,
      command: process.execPath,
      args: [...nodeFlags(file), join(projectFolder, file)],
      env: {
        ...nodeEnvironment,
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        OPERATIONS_PORT: '0',
        LOG_LEVEL: 'warn',
        ...env,
      },
      logFile,
    });
    programs.push(program);
    return { ...program, ready: await readyLine(program, logFile) };
  };
  const close = async () => {
    process.off('exit', kill);
    await Promise.all(programs.map((program) => program.stop()));
    await database.drop();
    servers.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const coreEnv = {
      DATABASE_URL: database.appUrl,
      DATABASE_OWNER_URL: database.ownerUrl,
      CORE_PORT: '0',
      TEMPORAL_ADDRESS: temporalAddress,
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    };
    const operatorKey = await issueOperatorKey(coreEnv);
    const core = await start('core/main.ts', coreEnv);
    const coreUrl = `http://127.0.0.1:${core.ready.port}`;
    const gateway = await start('gateway/main.ts', { CORE_URL: coreUrl, GATEWAY_PORT: '0' });
    return {
      gatewayUrl: `http://127.0.0.1:${gateway.ready.port}`,
      coreUrl,
      operatorKey,
      databaseUrl: database.appUrl,
      superuserUrl: Object.assign(new URL(superuserUrl), { pathname: new URL(database.ownerUrl).pathname }).href,
      temporalAddress,
      start,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function issueOperatorKey(env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(projectFolder, 'core/main.ts'), 'issue-operator-key'],
    { env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', ...env } },
  );
  return stdout.trim();
}
