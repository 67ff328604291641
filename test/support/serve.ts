/**
 * Serves test files: `node test/support/serve.ts postgres temporal` starts those servers on any free ports, with
 * nothing kept, prints their addresses as one JSON line, and ends with its standard input. So nothing is left
 * behind, however the program ended that started it.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRoles, startPostgres } from '../../dev/postgres.ts';
import { type RunningProgram, startProgram } from '../../dev/process.ts';
import { startTemporal } from '../../dev/temporal.ts';
import { findTemporal } from '../../dev/temporal-program.ts';

const wanted = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'scan-audit-test-'));
// PostgreSQL's own user passes through it.
await chmod(folder, 0o711);
const folders = [folder];
const running: RunningProgram[] = [];
const env = { PATH: process.env.PATH, HOME: process.env.HOME };

async function postgres(): Promise<object> {
  const passwords = { owner: 'owner', app: 'app' };
  const server = await startPostgres({
    spawn: startProgram,
    folder: join(folder, 'postgres'),
    port: 0,
    password: randomBytes(16).toString('hex'),
    logFile: join(folder, 'postgres.log'),
    env,
    durable: false,
  });
  running.push(server.program);
  folders.push(server.folder);
  await createRoles(server.superuserUrl, passwords);
  return { superuserUrl: server.superuserUrl };
}

async function temporal(): Promise<object> {
  const command = await findTemporal({ env: process.env, report: (line) => console.error(line) });
  const server = await startTemporal({
    spawn: startProgram,
    command,
    port: 0,
    logFile: join(folder, 'temporal.log'),
    env,
  });
  running.push(server.program);
  return { temporalAddress: server.address };
}

const starting = Promise.allSettled([
  wanted.includes('postgres') ? postgres() : {},
  wanted.includes('temporal') ? temporal() : {},
]);

async function stop(code: number): Promise<void> {
  // What is in mid-start must be known before it can be ended.
  await starting;
  // Nothing of theirs is kept, so they need no time to say goodbye.
  for (const program of running) program.kill();
  await Promise.all(running.map((program) => program.exited));
  for (const one of folders) await rm(one, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}

process.stdin.once('end', () => stop(0)).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop(0));

const results = await starting;
const failed = results.find((result) => result.status === 'rejected');
if (failed) {
  console.error(failed.reason instanceof Error ? failed.reason.message : failed.reason);
  await stop(1);
}
const addresses = results.map((result) => (result.status === 'fulfilled' ? result.value : {}));
console.log(JSON.stringify(Object.assign({ ready: 'servers' }, ...addresses)));
