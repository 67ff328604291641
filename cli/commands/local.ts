import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../context.ts';
import { type ExitCode, exitCodes, Trouble } from '../trouble.ts';

/**
 * Hands an audit of this machine to the program that starts the service; it shows what happens, and ends as the gate does.
 * @throws Trouble
 */
export async function local({ env }: World, args: readonly string[]): Promise<ExitCode> {
  const project = join(import.meta.dirname, '../..');
  const boot = join(project, 'dev/boot.mjs');
  if (!existsSync(boot)) throw new Trouble('"local" needs the whole project: run it from a checkout.');
  const program = spawn(process.execPath, [boot, 'dev/start.ts', 'local', ...args], {
    stdio: 'inherit',
    env,
  });
  // A Ctrl-C reaches it as well, and it ends what it has started.
  const stay = () => {};
  process.on('SIGINT', stay);
  try {
    const [code] = await once(program, 'exit');
    return Object.values(exitCodes).find((each) => each === code) ?? exitCodes.trouble;
  } finally {
    process.off('SIGINT', stay);
  }
}
