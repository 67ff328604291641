import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another stack works in the data folder. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';
}

/**
 * Takes the data folder for this process alone. The operating system gives it back when the process ends, however
 * that happens, so a lock is never stale.
 * @returns gives it back early
 * @throws FolderInUse
 */
export async function lockFolder(folder: string): Promise<() => void> {
  // Others may pass through, which PostgreSQL's own user needs, but not look around; what is private has mode 0600.
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const lock = new DatabaseSync(join(folder, 'lock'));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    const holder = await readFile(join(folder, 'holder'), 'utf8').catch(() => 'unknown');
    throw new FolderInUse(
      `Another stack (process ${holder}) already uses the data folder ${folder}. Stop it, or set SCAN_AUDIT_HOME to another folder.`,
      { cause },
    );
  }
  await writeFile(join(folder, 'holder'), String(process.pid));
  return () => lock.close();
}

/** Writes a file that only its owner may read; whoever reads it sees the old content or the new, never half. */
export async function writePrivate(file: string, value: unknown): Promise<void> {
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  await writeFile(partial, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await rename(partial, file);
}

/** The content of a JSON file, or undefined when there is none. */
export async function readJson(file: string): Promise<unknown> {
  if (!existsSync(file)) return undefined;
  return JSON.parse(await readFile(file, 'utf8'));
}

/** A private file that several may want to write at the same time: one after the other, each with what holds by then. */
export class PrivateFile {
  readonly path: string;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  write(content: () => unknown): Promise<void> {
    return this.#inTurn(() => writePrivate(this.path, content()));
  }

  remove(): Promise<void> {
    return this.#inTurn(() => rm(this.path, { force: true }));
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const next = this.#last.then(change);
    // A failed write is reported to whoever asked for it, and does not spoil the next.
    this.#last = next.catch(() => undefined);
    return next;
  }
}
