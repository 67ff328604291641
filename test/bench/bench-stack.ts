import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../dev/config.ts';
import { type RunningProgram, readyLine, startProgram } from '../../dev/process.ts';
import { startServers, superuserVariable, testDatabase } from '../support/servers.ts';

/** Gateway, core and the peer over one PostgreSQL. Nothing dispatches: there is no Temporal. */
export type BenchStack = {
  gatewayUrl: string;
  coreUrl: string;
  peerUrl: string;
  operatorKey: string;
  /** Passes row-level security, to fill tables with history. */
  superuserUrl: string;
  close(): Promise<void>;
};

export async function startBenchStack(): Promise<BenchStack> {
  const servers = await startServers(['postgres']);
  const superuserUrl = servers.addresses.superuserUrl;
  if (!superuserUrl) throw new Error('PostgreSQL did not start');
  process.env[superuserVariable] = superuserUrl;
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-bench-'));
  const programs: RunningProgram[] = [];
  const start = async (file: string, env: Record<string, string>) => {
    const logFile = join(folder, `${file.replaceAll('/', '-')}.log`);
    const program = await startProgram({
      name: file,
      command: process.execPath,
      args: [join(projectFolder, file)],
      env: { PATH: process.env.PATH, OPERATIONS_PORT: '0', LOG_LEVEL: 'warn', ...env },
      logFile,
    });
    programs.push(program);
    return readyLine(program, logFile);
  };
  const close = async () => {
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
      // The discard port: nothing listens on it.
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    };
    const operatorKey = await issueOperatorKey(coreEnv);
    const core = await start('core/main.ts', coreEnv);
    const coreUrl = `http://127.0.0.1:${core.port}`;
    const gateway = await start('gateway/main.ts', { CORE_URL: coreUrl, GATEWAY_PORT: '0' });
    const peer = await start('test/bench/peer.ts', { DATABASE_URL: database.appUrl });
    return {
      gatewayUrl: `http://127.0.0.1:${gateway.port}`,
      coreUrl,
      peerUrl: `http://127.0.0.1:${peer.port}`,
      operatorKey,
      superuserUrl: Object.assign(new URL(superuserUrl), { pathname: new URL(database.ownerUrl).pathname }).href,
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
