import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root, so root lends it this user. */
const userName = 'postgres';
const sharedFolder = '/var/lib/scan-audit';

export type SystemUser = { uid: number; gid: number };

/** The user that PostgreSQL must run as: undefined means the caller's own. */
export async function postgresUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  return (await findUser()) ?? (await createUser());
}

async function findUser(): Promise<SystemUser | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === userName);
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : undefined;
}

async function createUser(): Promise<SystemUser> {
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false', userName]],
    ['adduser', ['-S', '-D', '-H', '-s', '/bin/false', userName]],
  ];
  for (const [command, args] of attempts) {
    await run(command, args).catch(() => undefined);
    const user = await findUser();
    if (user) return user;
  }
  throw new Error(
    `PostgreSQL does not run as root, and the user "${userName}" could not be created. Start as another user, or set DATABASE_URL and DATABASE_OWNER_URL to a PostgreSQL 18 of your own.`,
  );
}

/** Whether `user` may enter every folder on the way to `path`. */
export async function canReach(path: string, user: SystemUser | undefined): Promise<boolean> {
  if (!user) return true;
  for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
    const found = await stat(folder).catch(() => undefined);
    if (found && !mayEnter(found, user)) return false;
    if (folder === dirname(folder)) return true;
  }
}

function mayEnter(folder: { mode: number; uid: number; gid: number }, user: SystemUser): boolean {
  if (folder.uid === user.uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === user.gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}

/**
 * A folder for a database cluster that its user can reach: the wanted one, else one of the same meaning under
 * /var/lib (a checkout in /root, for instance, is closed to every other user).
 */
export async function reachableFolder(wanted: string, user: SystemUser | undefined): Promise<string> {
  const folder = (await canReach(wanted, user))
    ? wanted
    : join(sharedFolder, createHash('sha256').update(resolve(wanted)).digest('hex').slice(0, 12));
  await mkdir(folder, { recursive: true });
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o700);
  return folder;
}

/** The folder with PostgreSQL's programs, copied once to /var/lib when their own is closed to its user. */
export async function reachablePrograms(
  native: string,
  version: string,
  user: SystemUser | undefined,
): Promise<string> {
  if (await canReach(join(native, 'bin', 'postgres'), user)) return native;
  const copy = join(sharedFolder, `postgres-${version}`);
  if (await stat(copy).catch(() => undefined)) return copy;
  const partial = `${copy}.${process.pid}`;
  await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
  await cp(native, partial, { recursive: true, verbatimSymlinks: true });
  // Two starts may copy at the same time: whoever comes second keeps the first one's.
  await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }));
  return copy;
}
