import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { allTotals } from './totals.ts';

export type ProcessOptions = {
  /** What Node is started with. */
  args: string[];
  /** How many test files it runs: as many totals it prints. */
  files: number;
  env: Record<string, string | undefined>;
  timeoutMs: number;
  /** How long the process may live after it has printed its totals; default 10,000. */
  exitMs?: number;
  signal?: AbortSignal;
};

/** Runs tests in a process group of its own. @returns all that it printed, and what is wrong besides failed tests */
export async function runProcess(options: ProcessOptions): Promise<{ output: string; fault?: string }> {
  const child = spawn(process.execPath, options.args, {
    detached: true,
    env: { ...options.env, NO_COLOR: '1', FORCE_COLOR: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid;
  if (pid === undefined) return { output: '', fault: 'its process could not be started' };
  const kill = () => signalGroup(pid, 'SIGKILL');
  options.signal?.addEventListener('abort', kill, { once: true });
  let output = '';
  let fault: string | undefined;
  const end = (reason: string) => {
    fault = reason;
    kill();
  };
  let timer = setTimeout(() => end(`it did not end within ${options.timeoutMs / 1000} s`), options.timeoutMs);
  const exitMs = options.exitMs ?? 10_000;
  let hasEnded = false;
  const collect = (chunk: string) => {
    output += chunk;
    if (hasEnded || allTotals(output).length < options.files) return;
    hasEnded = true;
    clearTimeout(timer);
    timer = setTimeout(() => end('its tests ended but its process did not: something is still open'), exitMs);
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (exitCode, exitSignal) => resolve({ code: exitCode, signal: exitSignal }));
  });
  clearTimeout(timer);
  options.signal?.removeEventListener('abort', kill);
  fault ??= await leftBehind(pid);
  kill();
  // What is still in the pipes; a process that was left behind may hold them open, and is gone now.
  await Promise.race([closed, sleep(1_000)]);
  if (!fault && code !== 0 && isAllPassed(output)) fault = signal ? `it was ended by ${signal}` : `exit code ${code}`;
  return fault ? { output, fault } : { output };
}

function isAllPassed(output: string): boolean {
  const all = allTotals(output);
  return all.length > 0 && all.every(({ total, passed }) => total === passed);
}

/** A test file's children are to end with it; they have a second. */
async function leftBehind(pid: number): Promise<string | undefined> {
  for (let waitedMs = 0; waitedMs < 1_000; waitedMs += 50) {
    if (!signalGroup(pid, 0)) return undefined;
    await sleep(50);
  }
  return 'it left a process running';
}

/** @returns false when the group has no member */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
