import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { appRole, createDatabase, ownerRole, withClient } from '../../dev/postgres.ts';
import { createLogger } from '../../kit/logger.ts';

/** A PostgreSQL database of a test file's own. */
export type TestDatabase = {
  /** As the role that owns the schema: DATABASE_OWNER_URL. */
  ownerUrl: string;
  /** As the role that row-level security binds: DATABASE_URL. */
  appUrl: string;
  /** Ends its sessions and removes it. */
  drop(): Promise<void>;
};

const Addresses = z.object({ superuserUrl: z.string().optional(), temporalAddress: z.string().optional() });
type Addresses = z.infer<typeof Addresses>;

export type Servers = { addresses: Addresses; close(): void };

/** Names of the variables by which the runner names to test files the servers that all of them share. */
export const superuserVariable = 'TEST_POSTGRES_URL';
export const temporalVariable = 'TEST_TEMPORAL_ADDRESS';

/** An empty database on a real PostgreSQL 18 that is shared by all test files, or started for this one. */
export async function testDatabase(): Promise<TestDatabase> {
  const superuserUrl = await sharedPostgres();
  const name = newName();
  await createDatabase(superuserUrl, name);
  return databaseAt(superuserUrl, name);
}

/** As `testDatabase`, but with core's tables: a copy of one that is migrated once for all test files. */
export async function migratedDatabase(): Promise<TestDatabase> {
  const superuserUrl = await sharedPostgres();
  const name = newName();
  await withClient(superuserUrl, async (client) => {
    // Files that start together wait for the one that makes the template.
    await client.query('SELECT pg_advisory_lock(1)');
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (!rowCount) await makeTemplate(superuserUrl);
    await client.query('SELECT pg_advisory_unlock(1)');
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${ownerRole}`);
  });
  return databaseAt(superuserUrl, name);
}

const template = 'test_template';

async function makeTemplate(superuserUrl: string): Promise<void> {
  const draft = 'test_template_draft';
  await createDatabase(superuserUrl, draft);
  const { ownerUrl, appUrl } = databaseAt(superuserUrl, draft);
  const { migrate } = await import('../../core/db/migrate.ts');
  await migrate({ ownerUrl, url: appUrl, log: createLogger('test', 'silent') });
  // Only a finished one has the name.
  await withClient(superuserUrl, (client) => client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`));
}

async function sharedPostgres(): Promise<string> {
  const superuserUrl = process.env[superuserVariable] ?? (await ownPostgres()).superuserUrl;
  if (!superuserUrl) throw new Error('No PostgreSQL was started for this test file.');
  return superuserUrl;
}

const newName = () => `test_${randomBytes(6).toString('hex')}`;

function databaseAt(superuserUrl: string, name: string): TestDatabase {
  const urlOf = (role: string, password: string) =>
    Object.assign(new URL(superuserUrl), { username: role, password, pathname: `/${name}` }).href;
  return {
    ownerUrl: urlOf(ownerRole, 'owner'),
    appUrl: urlOf(appRole, 'app'),
    drop: () =>
      withClient(superuserUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
      }),
  };
}

/** A real Temporal server, in memory, that is shared by all test files: use task queues and ids of your own. */
export async function testTemporal(): Promise<{ address: string }> {
  const address = process.env[temporalVariable] ?? (await ownTemporal()).temporalAddress;
  if (!address) throw new Error('No Temporal was started for this test file.');
  return { address };
}

const once = <T>(start: () => Promise<T>): (() => Promise<T>) => {
  let started: Promise<T> | undefined;
  return () => {
    started ??= start();
    return started;
  };
};
const ownPostgres = once(async () => (await startServers(['postgres'])).addresses);
const ownTemporal = once(async () => (await startServers(['temporal'])).addresses);

/** Starts servers that live until `close` is called or this process ends, in whatever way. */
export async function startServers(wanted: ('postgres' | 'temporal')[]): Promise<Servers> {
  const program = join(import.meta.dirname, 'serve.ts');
  // Out of reach of what ends this process's group: its standard input ends with this process, and it cleans up.
  const child = spawn(process.execPath, [program, ...wanted], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const line = await firstLine(child);
  if (!line) throw new Error(`The servers for tests (${wanted.join(', ')}) did not start.`);
  // From now on they do not keep this process from ending; its end is what stops them.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) if (stream && 'unref' in stream) (stream.unref as () => void)();
  return { addresses: Addresses.parse(JSON.parse(line)), close: () => child.stdin?.end() };
}

function firstLine(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (!child.stdout) return resolve(undefined);
    createInterface({ input: child.stdout })
      .once('line', resolve)
      .once('close', () => resolve(undefined));
  });
}
