import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether a program of another language is on this machine; which one may lack. */
export const isHere = (name: string): boolean => spawnSync(name, [name === 'unzip' ? '-v' : '--version']).status === 0;

/** What a program prints, as text. @throws Error when it fails */
export const printedBy = async (name: string, ...words: string[]): Promise<string> =>
  (await run(name, words, { timeout: 8_000 })).stdout;
