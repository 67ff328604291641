import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A command of a Python package of the same name. @throws Error when it cannot be installed */
export const findPythonTool = async (name: string, env: NodeJS.ProcessEnv): Promise<string> =>
  join(await environmentOf(name, env), name);

/** Python with the packages of a list. @throws Error when they cannot be installed */
export const findPython = async (name: string, env: NodeJS.ProcessEnv): Promise<string> =>
  join(await environmentOf(name, env), 'python');

/**
 * The commands of a virtual environment in the user's cache that is made on first use, with exactly the packages that `<name>.txt`
 * beside this file lists.
 */
async function environmentOf(name: string, env: NodeJS.ProcessEnv): Promise<string> {
  const requirements = join(import.meta.dirname, `${name}.txt`);
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const folder = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'scan-audit', `${name}-${hash}`);
  const commands = join(folder, 'bin');
  const marker = join(folder, 'complete');
  if (existsSync(marker)) return commands;
  console.error(`Installing ${name} into ${folder}, once …`);
  await run('python3', ['-m', 'venv', '--clear', folder]);
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', requirements];
  await run(join(commands, 'pip'), pip);
  await writeFile(marker, '');
  return commands;
}
