import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../dev/ports.ts';
import type { ScoreSite } from '../case.ts';

/** PHP's own server for the files of a folder, which goes with it. */
export async function startPhp(folder: string): Promise<ScoreSite> {
  const port = await freePort();
  const child = spawn('php', ['-S', `127.0.0.1:${port}`, '-t', folder], { stdio: 'ignore' });
  await listening(port, child);
  return {
    url: `http://shop.localhost:${port}`,
    options: { depth: 'deep', writes: 'create' },
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.end() !== undefined)).once('error', () =>
        resolve(false),
      );
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error('PHP did not start');
}
