import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../dev/ports.ts';
import type { ScoreSite } from '../case.ts';

type ProgramSettings = {
  command: string;
  wordsFor: (port: number) => string[];
  options?: ScoreSite['options'];
  /** Ends what the program leaves. */
  close?: () => void;
};

/** A server of another language, which listens on a port of 127.0.0.1 that it is told. */
export async function startProgram({ command, wordsFor, options, close }: ProgramSettings): Promise<ScoreSite> {
  const port = await freePort();
  const child = spawn(command, wordsFor(port), { stdio: 'ignore' });
  await listening(port, child, command);
  return {
    url: `http://shop.localhost:${port}`,
    ...(options && { options }),
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
      close?.();
    },
  };
}

async function listening(port: number, child: ChildProcess, command: string): Promise<void> {
  while (child.exitCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket.end() !== undefined)).once('error', () =>
        resolve(false),
      );
    });
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`${command} did not start`);
}
