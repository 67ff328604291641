import { chmod, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { browserUser } from './user.ts';

/** Whether the browser runs as another user than this process. */
const isShared = () => browserUser().name !== 'own';

/** Another user cannot look into our home. */
const defaultCacheDir = () => (isShared() ? '/var/cache/scan-audit' : join(homedir(), '.cache', 'scan-audit'));

/**
 * A folder that the browser's user can read and only we can write, filled once and kept between starts.
 * @param name with the version of what is in it
 * @param fill writes the content into an empty folder, which has its final path afterwards
 * @throws Error when it cannot be made
 */
export async function keptFolder(
  cacheDir: string | undefined,
  name: string,
  fill: (empty: string, final: string) => Promise<void>,
): Promise<string> {
  const parent = await usableFolder([...(cacheDir === undefined ? [] : [cacheDir]), defaultCacheDir()]);
  const folder = join(parent, name);
  if (await isOurs(folder)) return folder;
  const partial = await mkdtemp(join(parent, `${name}.partial-`));
  await fill(partial, folder);
  await chmod(partial, 0o755);
  // Whoever renames first wins; the others use that one.
  await rename(partial, folder).catch(() => rm(partial, { recursive: true, force: true }));
  if (!(await isOurs(folder))) throw new Error(`${folder} belongs to somebody else`);
  return folder;
}

/** The first folder that can be written and that the browser's user can reach; else a new one of this process. */
async function usableFolder(candidates: readonly string[]): Promise<string> {
  for (const folder of candidates) {
    const made = await mkdir(folder, { recursive: true, mode: 0o755 }).then(
      () => true,
      () => false,
    );
    if (made && (await isOurs(folder)) && (await isReachable(folder))) return folder;
  }
  const folder = await mkdtemp(join(tmpdir(), 'scan-audit-'));
  await chmod(folder, 0o755);
  return folder;
}

/** Whether a browser of another user gets through to this folder. */
async function isReachable(folder: string): Promise<boolean> {
  if (!isShared()) return true;
  for (let current = folder; ; current = dirname(current)) {
    if (((await lstat(current)).mode & 0o001) === 0) return false;
    if (current === dirname(current)) return true;
  }
}

/** A program that somebody else could have put there is not run. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return false;
  const othersMayWrite = (found.mode & 0o022) !== 0;
  return !othersMayWrite && (found.uid === 0 || found.uid === process.getuid?.());
}
