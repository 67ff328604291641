import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a program ended. */
export type Exit = { code: number | null; signal: NodeJS.Signals | null };

export type RunningProgram = {
  name: string;
  pid: number;
  /** Settles when the program has ended, for whatever reason. */
  exited: Promise<Exit>;
  /** The first line of standard output; undefined when the program ended without one. */
  firstLine: Promise<string | undefined>;
  /** Asks the program's process group to end, insists after its grace time, and returns when the program is gone. */
  stop(): Promise<void>;
  /** Ends the whole process group at once. */
  kill(): void;
};

export type ProgramOptions = {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  cwd?: string;
  /** Standard error, and standard output after its first line, are appended to this file. */
  logFile: string;
  /** User and group to run as; the caller's own when not given. */
  user?: { uid: number; gid: number } | undefined;
  /** Default SIGTERM. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds between the stop signal and SIGKILL; default 10,000. */
  graceMs?: number;
};

/** How programs are started: by startProgram, or by something that also keeps an eye on them. */
export type Spawn = (options: ProgramOptions) => Promise<RunningProgram>;

/** A program did not start or did not stay up. The message ends with the last lines of its log. */
export class ProgramError extends Error {
  override name = 'ProgramError';
}

/**
 * Starts a program in a process group of its own, so that a Ctrl-C in the terminal reaches only us and
 * programs are stopped in order.
 * @throws ProgramError when the program cannot be started at all
 */
export async function startProgram(options: ProgramOptions): Promise<RunningProgram> {
  mkdirSync(dirname(options.logFile), { recursive: true, mode: 0o700 });
  const log = openSync(options.logFile, 'a', 0o600);
  const child = spawn(options.command, options.args, {
    env: options.env,
    cwd: options.cwd ?? '/',
    detached: true,
    stdio: ['ignore', 'pipe', log],
    ...options.user,
  });
  try {
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  } catch (error) {
    throw new ProgramError(`${options.name} cannot be started: ${error instanceof Error ? error.message : error}`);
  } finally {
    closeSync(log);
  }
  return watch(child, options);
}

function watch(child: ChildProcess, options: ProgramOptions): RunningProgram {
  const pid = child.pid ?? 0;
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const signalGroup = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone: that is what was asked for.
    }
  };
  const stop = async () => {
    signalGroup(options.stopSignal ?? 'SIGTERM');
    const inTime = await Promise.race([exited, sleep(options.graceMs ?? 10_000, undefined, { ref: false })]);
    if (!inTime) signalGroup('SIGKILL');
    await exited;
    // Children that the program left behind are of its group.
    signalGroup('SIGKILL');
  };
  return {
    name: options.name,
    pid,
    exited,
    firstLine: readFirstLine(child),
    stop,
    kill: () => signalGroup('SIGKILL'),
  };
}

function readFirstLine(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (!child.stdout) return resolve(undefined);
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (line) => {
      resolve(line);
      // The pipe is drained for as long as the program lives: a full one would stall it.
      child.stdout?.resume();
    });
    lines.once('close', () => resolve(undefined));
  });
}

/**
 * Waits for the one JSON line that a program of ours prints when it is ready.
 * @throws ProgramError when it ends first, prints something else, or `timeoutMs` have passed
 */
export async function readyLine(
  program: RunningProgram,
  logFile: string,
  timeoutMs = 60_000,
): Promise<Record<string, unknown>> {
  const line = await Promise.race([program.firstLine, sleep(timeoutMs, null, { ref: false })]);
  if (line === null) throw failed(program, `is not ready after ${timeoutMs / 1000} s`, logFile);
  if (line === undefined) throw failed(program, 'ended before it was ready', logFile);
  try {
    const ready: unknown = JSON.parse(line);
    if (typeof ready === 'object' && ready !== null && 'ready' in ready) return { ...ready };
  } catch {
    // Reported below with the line itself.
  }
  throw failed(program, `printed ${JSON.stringify(line)} instead of a ready line`, logFile);
}

/**
 * Asks `check` again until it holds.
 * @throws ProgramError when the program ends first, or `timeoutMs` have passed
 */
export async function until(
  program: RunningProgram,
  check: () => Promise<boolean>,
  logFile: string,
  timeoutMs = 60_000,
): Promise<void> {
  let ended = false;
  program.exited.then(() => {
    ended = true;
  });
  const deadline = Date.now() + timeoutMs;
  while (!(await check())) {
    if (ended) throw failed(program, 'ended before it was ready', logFile);
    if (Date.now() > deadline) throw failed(program, `is not ready after ${timeoutMs / 1000} s`, logFile);
    await sleep(50);
  }
}

function failed(program: RunningProgram, what: string, logFile: string): ProgramError {
  return new ProgramError(`${program.name} ${what}. The end of ${logFile}:\n${lastLines(logFile)}`);
}

/** The last lines of a log file, for a message. */
function lastLines(file: string, count = 12): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '(nothing)';
  }
}
