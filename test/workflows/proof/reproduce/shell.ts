import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Printed = { stdout: string; stderr: string; code: number };

/**
 * Runs a script as a reader would, in a shell that is not this one's.
 * @param variables all that the shell has
 */
export async function runIn(
  shell: 'sh' | 'bash',
  script: string,
  variables: Record<string, string> = {},
): Promise<Printed> {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...variables };
  try {
    // Given a socket for its input, as here, bash would read the settings of whoever runs this.
    const options = shell === 'bash' ? ['--norc'] : [];
    return { ...(await run(shell, [...options, '-c', script], { env, timeout: 60_000 })), code: 0 };
  } catch (error) {
    const { stdout = '', stderr = '', code = 1 } = error as Partial<Printed>;
    return { stdout, stderr, code };
  }
}
