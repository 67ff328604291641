import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** A worker may have been started without a PATH. */
const run = (command: string, args: string[]) => execute(command, args, { cwd: '/', env: { PATH: '/usr/bin:/bin' } });

/** The user that owns nothing. Source: Linux Standard Base, nobody. */
const nobody = 65534;
const setpriv = '/usr/bin/setpriv';

const isRoot = () => process.getuid?.() === 0;

/** Whom the browser runs as. */
export type BrowserUser = {
  name: 'nobody' | 'own';
  /** Command that runs the rest of its arguments as this user; empty for our own. */
  prefix: string[];
};

/** Another user than the worker's where the worker may choose: as root, or with the capabilities to change users. */
export function browserUser(): BrowserUser {
  if (!mayChangeUsers() || !existsSync(setpriv)) return { name: 'own', prefix: [] };
  const ids = [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  return {
    name: 'nobody',
    prefix: [setpriv, ...ids, '--no-new-privs', '--inh-caps=-all', '--ambient-caps=-all', '--'],
  };
}

/** Source: capabilities(7), the numbers of CAP_SETGID and CAP_SETUID. */
const setGidAndUid = (1n << 6n) | (1n << 7n);

function mayChangeUsers(): boolean {
  if (isRoot()) return true;
  if (process.platform !== 'linux') return false;
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${effective}`) & setGidAndUid) === setGidAndUid;
}

/** A new folder that belongs to the user. @param prefix path and beginning of its name */
export async function makeFolder(user: BrowserUser, prefix: string): Promise<string> {
  const [command, ...args] = user.prefix;
  if (command !== undefined && !isRoot())
    return (await run(command, [...args, 'mktemp', '--directory', `${prefix}XXXXXXXXXX`])).stdout.trim();
  const folder = await mkdtemp(prefix);
  if (command !== undefined) await chown(folder, nobody, nobody);
  return folder;
}

/** Removes such a folder, even while the last of the browser's processes ends. */
export async function removeFolder(user: BrowserUser, folder: string): Promise<void> {
  const [command, ...args] = user.prefix;
  if (command === undefined || isRoot())
    return rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  const remove = () => run(command, [...args, 'rm', '-rf', folder]);
  await remove().catch(() => remove().catch(() => {}));
}
