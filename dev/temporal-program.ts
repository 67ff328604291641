import { spawn } from 'node:child_process';
import { access, constants, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { FolderInUse, lockFolder } from './data-folder.ts';

/** Newest release that builds outside its own repository; the same as in temporal/go.mod. */
const version = '1.5.1';
const moduleFolder = join(import.meta.dirname, 'temporal');

type TemporalProgramOptions = {
  env: Record<string, string | undefined>;
  /** Called with what is being waited for. */
  report: (line: string) => void;
  /** Ends a build. */
  signal?: AbortSignal | undefined;
};

/**
 * The path of the Temporal CLI with its development server: on PATH, else in the user's cache, else put into the
 * cache, built from source where there is Go, and downloaded otherwise.
 */
export async function findTemporal(options: TemporalProgramOptions): Promise<string> {
  const { env } = options;
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'scan-audit', `temporal-${version}`);
  const built = join(cache, 'temporal');
  const found = (await onPath('temporal', env)) ?? ((await isExecutable(built)) ? built : undefined);
  if (found) return found;
  await mkdir(cache, { recursive: true });
  const unlock = await takeTurn(`${cache}-lock`, options);
  try {
    if (await isExecutable(built)) return built;
    const go = await onPath('go', env);
    if (go) await build(go, built, options);
    else await download(built, options);
    return built;
  } finally {
    unlock();
  }
}

/** One start at a time makes the program: several at once would each take as long as all of them. */
async function takeTurn(folder: string, { report, signal }: TemporalProgramOptions): Promise<() => void> {
  for (let waited = false; ; waited = true) {
    try {
      return await lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (!waited) report('Waiting for the Temporal server, which another start makes.');
      await setTimeout(1_000, undefined, { signal });
    }
  }
}

async function onPath(name: string, env: Record<string, string | undefined>): Promise<string | undefined> {
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    if (await isExecutable(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function download(target: string, { report }: TemporalProgramOptions): Promise<void> {
  report(`Downloading the Temporal server into ${dirname(target)}, once: about 50 MB.`);
  // Loaded only here: it brings the SDK's native part.
  const { downloadTemporal } = await import('./temporal-download.ts');
  await downloadTemporal(target).catch((cause: unknown) => {
    throw new Error(
      'The Temporal server could not be downloaded. Install Go 1.25 or the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a server of your own.',
      { cause },
    );
  });
}

/** Builds under a temporary name: an interrupted build leaves nothing that looks whole. */
async function build(go: string, target: string, options: TemporalProgramOptions): Promise<void> {
  const { report } = options;
  report(`Building the Temporal server ${version} into ${dirname(target)}, once: this takes 2 to 6 minutes.`);
  const folder = await mkdtemp(join(dirname(target), 'build-'));
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  let packages = 0;
  const ticker = setInterval(() => report(`  … ${packages} packages compiled, ${seconds()} s`), 15_000);
  try {
    await compile(go, join(folder, 'temporal'), options, (line) => {
      if (line.startsWith('go: downloading')) report(`  ${line.replace('go: ', '')}`);
      else packages += 1;
    });
    await rename(join(folder, 'temporal'), target);
    report(`Built the Temporal server in ${seconds()} s.`);
  } finally {
    clearInterval(ticker);
    await rm(folder, { recursive: true, force: true });
  }
}

function compile(
  go: string,
  output: string,
  { env, signal }: TemporalProgramOptions,
  onLine: (line: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = ['build', '-v', '-ldflags', '-s -w', '-o', output, 'github.com/temporalio/cli/cmd/temporal'];
    const child = spawn(go, args, {
      cwd: moduleFolder,
      env: { ...env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // Go then ends its compilers and removes what they wrote.
      killSignal: 'SIGINT',
      ...(signal ? { signal } : {}),
    });
    const last: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      last.push(line);
      if (last.length > 10) last.shift();
      onLine(line);
    });
    let interrupted: Error | undefined;
    child.once('error', (error) => {
      interrupted = error;
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(interrupted ?? new Error(`The Temporal server could not be built with ${go}:\n${last.join('\n')}`));
    });
  });
}
