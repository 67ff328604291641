import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const cacheFolder = (env: NodeJS.ProcessEnv) => join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'scan-audit');

/**
 * A virtual environment in the user's cache with exactly the packages of a file of this folder, made on first use.
 * @returns its folder of programs
 * @throws Error when they cannot be installed
 */
export async function pythonPrograms(requirements: string, env: NodeJS.ProcessEnv): Promise<string> {
  const file = join(import.meta.dirname, requirements);
  const folder = join(cacheFolder(env), `bench-${hashOf(await readFile(file, 'utf8'))}`);
  const programs = join(folder, 'bin');
  await once(folder, async () => {
    await run('python3', ['-m', 'venv', '--clear', folder]);
    const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', file];
    await run(join(programs, 'pip'), pip);
  });
  return programs;
}

/**
 * Debian packages, unpacked in the user's cache without being installed.
 * @returns the folder that stands for the root of the file system
 * @throws Error where there are no such packages
 */
export async function debianPackages(packages: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const folder = join(cacheFolder(env), `bench-${hashOf(packages.join(' '))}`);
  await once(folder, async () => {
    await mkdir(folder, { recursive: true });
    await run('apt-get', ['download', ...packages], { cwd: folder });
    for (const name of await readdir(folder))
      if (name.endsWith('.deb')) await run('dpkg', ['-x', name, '.'], { cwd: folder });
  });
  return folder;
}

/** Fills a folder, unless it was filled to the end before. */
async function once(folder: string, fill: () => Promise<void>): Promise<void> {
  const marker = join(folder, 'complete');
  if (existsSync(marker)) return;
  console.error(`Filling ${folder}, once …`);
  await rm(folder, { recursive: true, force: true });
  await fill();
  await writeFile(marker, '');
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
