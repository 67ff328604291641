import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Stage } from './stage.ts';

const run = promisify(execFile);
const requirements = join(import.meta.dirname, 'requirements.txt');

/** Python 3.10 or newer, which the pinned packages need. */
export const hasPython = (): Promise<boolean> =>
  run('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))']).then(
    () => true,
    () => false,
  );

/**
 * The schemathesis command, in a virtual environment in the user's cache that is made on first use, with exactly the
 * packages of requirements.txt.
 * @throws Error when they cannot be installed
 */
async function findSchemathesis(env: NodeJS.ProcessEnv): Promise<string> {
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 12);
  const cache = env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'scan-audit', `schemathesis-${hash}`);
  const command = join(folder, 'bin', 'schemathesis');
  const marker = join(folder, 'complete');
  if (existsSync(marker)) return command;
  console.error(`Installing schemathesis into ${folder}, once …`);
  await run('python3', ['-m', 'venv', '--clear', folder]);
  const pip = ['install', '--quiet', '--disable-pip-version-check', '--no-deps', '--requirement', requirements];
  await run(join(folder, 'bin', 'pip'), pip);
  await writeFile(marker, '');
  return command;
}

type FuzzOptions = {
  /** Generated requests for each operation and phase. */
  maxExamples: number;
  /** Of "examples", "coverage", "fuzzing" and "stateful". */
  phases: readonly string[];
  /** The same seed makes the same requests, as far as answers are the same. */
  seed: number;
  env: NodeJS.ProcessEnv;
};

/** Requests whose answers were as documented, and others. */
type Counts = { passed: number; failed: number };

/**
 * Lets schemathesis make requests of all kinds, right and wrong, out of /openapi.json, and hold each answer against it.
 * Its own output goes to standard error.
 */
export async function fuzz(stage: Stage, { maxExamples, phases, seed, env }: FuzzOptions): Promise<Counts> {
  const command = await findSchemathesis(env);
  const child = spawn(
    command,
    [
      ...['--config-file', join(import.meta.dirname, 'schemathesis.toml'), 'run', `${stage.baseUrl}/openapi.json`],
      ...['--header', `Authorization: Bearer ${stage.key}`, '--checks', 'all', '--phases', phases.join(',')],
      // A domain that is registered takes no scope and has no logins until it is proven.
      ...['--exclude-checks', 'ensure_resource_availability'],
      ...['--max-examples', String(maxExamples), '--seed', String(seed), '--generation-database', 'none'],
      ...['--suppress-health-check', 'all', '--continue-on-failure', '--no-color', '--request-timeout', '90'],
    ],
    {
      stdio: ['ignore', 'pipe', process.stderr],
      env: {
        PATH: env.PATH,
        HOME: env.HOME,
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
        SCHEMATHESIS_HOOKS: 'hooks',
        SCAN_AUDIT_FUZZ_KNOWN: JSON.stringify(stage.known),
        SCAN_AUDIT_FUZZ_KEY_ID: stage.keyId,
      },
    },
  );
  const output: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output.push(part);
    process.stderr.write(part);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return countsIn(output.join(''), code);
}

/** Of the line "Test cases: 90 generated, 2 found 3 unique failures, 4 skipped". */
function countsIn(output: string, code: number | null): Counts {
  const [line = ''] = /^\s+\d+ generated.*$/m.exec(output) ?? [];
  const count = (pattern: RegExp) => Number(pattern.exec(line)?.[1] ?? 0);
  const found = count(/(\d+) found/);
  // An error of schemathesis itself is a failure too.
  const failed = code === 0 ? found : Math.max(found, 1);
  return { passed: Math.max(0, count(/(\d+) generated/) - count(/(\d+) skipped/) - found), failed };
}
