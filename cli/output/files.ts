import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Stream } from '../terminal.ts';
import { Trouble } from '../trouble.ts';

/** Stands for standard output. */
export const standardOutput = '-';

/**
 * Finds out before a scan is paid for whether its results can be written.
 * @throws Trouble
 */
export async function requireWritable(files: readonly string[]): Promise<void> {
  if (files.filter((file) => file === standardOutput).length > 1)
    throw new Trouble('Only one of the results can go to standard output ("-"): name files for the others.');
  const named = files.filter((file) => file !== standardOutput);
  if (new Set(named).size < named.length) throw new Trouble('Two results have the same file: name another for one.');
  for (const file of named) {
    const found = await stat(file).catch(() => undefined);
    if (found?.isDirectory()) throw new Trouble(`${file} is a folder: name a file in it.`);
    await access(found ? file : dirname(file), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      throw new Trouble(`${file} cannot be written (${error.code}): name a file in a folder that exists and is yours.`);
    });
  }
}

/** @throws Trouble */
export async function writeResult(file: string, content: string | Uint8Array, stdout: Stream): Promise<void> {
  if (file === standardOutput) return void stdout.write(content);
  await writeFile(file, content).catch((error: NodeJS.ErrnoException) => {
    throw new Trouble(`${file} could not be written (${error.code ?? error.message}).`);
  });
}
