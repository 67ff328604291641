import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The user that a worker of root's starts its browser as. Source: Linux Standard Base, nobody. */
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs', '--'];
/** What Chromium's sandbox is made of. Source: Chromium, docs/linux/sandboxing.md. */
const namespaces = ['unshare', '--user', '--pid', '--net', '--fork', 'true'];

/** Why a browser cannot have its sandbox on this machine; undefined when it can, or when that is not known. */
export async function sandboxFault(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const isRoot = process.getuid?.() === 0;
  const [command = '', ...args] = [...(isRoot ? asNobody : []), ...namespaces];
  try {
    await promisify(execFile)(command, args, { cwd: '/' });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
      return 'the kernel gives no user namespaces to ordinary users';
    return isRoot ? 'this is root, and setpriv is not installed to start it as another user' : undefined;
  }
}
