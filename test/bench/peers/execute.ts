import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The slowest of them needs some minutes for a target. */
const timeoutMs = 10 * 60_000;
const maxOutputBytes = 64 * 1024 * 1024;

/**
 * Runs a tool that writes a file, whatever code it exits with, and reads that file.
 * @param argsFor makes its arguments for the file's path
 * @throws Error with the end of its output when there is no such file afterwards, and when it does not come to an end
 */
export async function reportOf(
  command: string,
  argsFor: (file: string) => string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-bench-peer-'));
  const file = join(folder, 'report');
  try {
    const options = { timeout: timeoutMs, maxBuffer: maxOutputBytes, cwd: folder, env };
    const output = await run(command, argsFor(file), options).catch(
      (error: Error & { stdout?: string; stderr?: string; killed?: boolean }) => error,
    );
    // What it had written by then would pass for all that it found.
    if ('killed' in output && output.killed) throw new Error(`${command}: no end within ${timeoutMs / 60_000} minutes`);
    return await readFile(file, 'utf8').catch(() => {
      throw new Error(
        `${command}: ${`${output.stderr ?? ''}${output.stdout ?? ''}`.trim().slice(-300) || 'no report'}`,
      );
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
