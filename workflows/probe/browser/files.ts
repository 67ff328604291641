import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A browser on this machine, with what it needs in its environment. */
export type BrowserProgram = { path: string; env: { [name: string]: string } };

const isRoot = () => process.getuid?.() === 0;

/** Unpacks the Chromium that comes with the project, once for each version. @throws Error when it cannot */
export async function bundledChromium(cacheDir = defaultCacheDir()): Promise<BrowserProgram> {
  const manifest = findPackageJSON('@sparticuz/chromium', import.meta.url);
  if (manifest === undefined) throw new Error('the package @sparticuz/chromium is not installed');
  const { version } = JSON.parse(await readFile(manifest, 'utf8'));
  const folder = await unpackedIn(cacheDir, `chromium-${version}`, dirname(manifest));
  return {
    path: join(folder, 'chromium'),
    env: { FONTCONFIG_PATH: join(folder, 'fonts'), LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') },
  };
}

/** Root's browser runs as another user, who cannot look into root's home. */
const defaultCacheDir = () => (isRoot() ? '/var/cache/scan-audit' : join(homedir(), '.cache', 'scan-audit'));

async function unpackedIn(cacheDir: string, name: string, packageDir: string): Promise<string> {
  const parent = await usableFolder([cacheDir, defaultCacheDir()]);
  const folder = join(parent, name);
  if (await isOurs(folder)) return folder;
  const partial = await mkdtemp(join(parent, `${name}.partial-`));
  await unpack(partial, packageDir);
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

/** Whether root's browser, which is not root, gets through to this folder. */
async function isReachable(folder: string): Promise<boolean> {
  if (!isRoot()) return true;
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

/**
 * The package unpacks into the temporary folder and takes what it finds there for its own; so it is given a folder of
 * its own as that, in a process of its own. Told that it is on Amazon Linux, it unpacks the libraries it needs too.
 */
async function unpack(folder: string, packageDir: string): Promise<void> {
  const program = "import('@sparticuz/chromium').then((chromium) => chromium.default.executablePath())";
  await promisify(execFile)(process.execPath, ['-e', program], {
    cwd: packageDir,
    env: { TMPDIR: folder, HOME: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    timeout: 120_000,
  });
  await chmod(join(folder, 'chromium'), 0o755);
  await chmod(folder, 0o755);
}
