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
  // Before our own handlers, of which one may end this process. A terminal's Ctrl-C may reach it twice, which is one.
  const passOn = (signal: NodeJS.Signals) => void program.kill(signal);
  for (const signal of signals) process.prependListener(signal, passOn);
  try {
    const [code] = await once(program, 'exit');
    return Object.values(exitCodes).find((each) => each === code) ?? exitCodes.trouble;
  } finally {
    for (const signal of signals) process.off(signal, passOn);
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
