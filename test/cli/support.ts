import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { run } from '../../cli/run.ts';
import { begin, type FindingSketch, finish, recordFamily, recordFindings } from '../contract/support/scans.ts';
import type { World } from '../contract/support/world.ts';
import { eventually } from '../support/processes.ts';

export const launcher = join(import.meta.dirname, '../../cli/scan-audit.mjs');

const { PATH, NODE_COMPILE_CACHE } = process.env;
/** What programs need of this process's environment: without the cache each start compiles everything anew. */
export const ownEnv = { PATH, NODE_COMPILE_CACHE };

export type Ended = { code: number | null; stdout: string; stderr: string };

type Running = {
  /** Standard error up to now. */
  stderr(): string;
  ended: Promise<Ended>;
};

type Surroundings = {
  env?: Record<string, string>;
  cwd?: string;
};

type OfProgram = Surroundings & {
  /** Options of Node itself. */
  nodeOptions?: string[];
};

/** Starts the program as a pipeline does: pipes for its output, and nothing in its environment but what is given. */
export function startProgram(
  args: string[],
  { env = {}, cwd, nodeOptions = [] }: OfProgram = {},
): Running & { child: ChildProcess } {
  const child = spawn(process.execPath, [...nodeOptions, launcher, ...args], {
    env: { ...ownEnv, ...env },
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ended = Promise.all([code, text(child.stdout)]).then(([ended, stdout]) => ({
    code: ended,
    stdout,
    stderr: errors,
  }));
  return { child, stderr: () => errors, ended };
}

export const runProgram = (args: string[], surroundings?: OfProgram): Promise<Ended> =>
  startProgram(args, surroundings).ended;

/** As `startProgram`, in this process where no other folder is asked for: most of what a start costs is to load the program. */
export function startCli(args: string[], { env = {}, cwd }: Surroundings = {}): Running {
  if (cwd !== undefined) return startProgram(args, { env, cwd });
  const [stdout, stderr] = [collector(), collector()];
  const world = { env, stdout, stderr, signal: new AbortController().signal };
  const ended = run(args, world).then((code) => ({ code, stdout: stdout.text(), stderr: stderr.text() }));
  return { stderr: stderr.text, ended };
}

function collector() {
  const chunks: Buffer[] = [];
  const write = (data: string | Uint8Array) => chunks.push(Buffer.from(data));
  return { write, text: () => Buffer.concat(chunks).toString() };
}

export const runCli = (args: string[], surroundings?: Surroundings): Promise<Ended> =>
  startCli(args, surroundings).ended;

/** Environment of a pipeline that has an org's key. */
export const envOf = (apiUrl: string, key: string): Record<string, string> => ({
  SCAN_AUDIT_API: apiUrl,
  SCAN_AUDIT_KEY: key,
});

/** The run id of the scan that a program has started. */
export async function startedRun(running: Running): Promise<string> {
  await eventually('the program says which scan it started', async () => /scan of \S+: \S+/.test(running.stderr()));
  return /scan of \S+: (\S+)/.exec(running.stderr())?.[1] ?? '';
}

/** Works on a scan as a worker does, to its end. */
export async function workOn(
  world: World,
  runId: string,
  { findings = [], coverage = 'done' }: { findings?: FindingSketch[]; coverage?: 'done' | 'failed' } = {},
): Promise<void> {
  await begin(world, runId);
  if (findings.length > 0) await recordFindings(world, runId, findings);
  await recordFamily(world, runId, coverage);
  await finish(world, runId);
}

export async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'));
}
