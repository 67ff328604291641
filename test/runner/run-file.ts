import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultsInSource } from './files.ts';

export type Outcome = {
  passed: number;
  failed: number;
  skipped: number;
  /** What is wrong besides failed tests, in words. */
  faults: string[];
  /** Everything that the file printed. */
  output: string;
  durationMs: number;
};

export type RunOptions = {
  /** Absolute path of a test file. */
  file: string;
  env: Record<string, string | undefined>;
  timeoutMs: number;
  /** How long the process may live after it has printed its totals; default 10,000. */
  exitMs?: number;
  signal?: AbortSignal;
};

/**
 * Runs one uvu file in a process group of its own and judges it by its totals, its exit and what it leaves behind:
 * uvu alone reports success for a hook that throws, a suite that is not run and `throw null`, and waits for ever for
 * a handle that is left open.
 */
export async function runFile(options: RunOptions): Promise<Outcome> {
  const startedAt = performance.now();
  const faults = await faultsInSource(options.file);
  const { output, fault } = await runProcess(options);
  if (fault) faults.push(fault);
  const totals = readTotals(output);
  if (!totals) faults.push('it did not print its totals');
  else if (totals.total === 0) faults.push('it has no tests');
  const { total, passed, skipped } = totals ?? { total: 0, passed: 0, skipped: 0 };
  const failed = Math.max(total - passed, faults.length > 0 ? 1 : 0);
  return { passed, failed, skipped, faults, output, durationMs: performance.now() - startedAt };
}

/** uvu's closing lines; undefined when they are not there. */
export function readTotals(output: string): { total: number; passed: number; skipped: number } | undefined {
  const plain = withoutColours(output);
  const last = (name: string) =>
    plain
      .match(new RegExp(`^ {2}${name}: +(\\d+)$`, 'gm'))
      ?.at(-1)
      ?.replace(/\D/g, '');
  const [total, passed, skipped] = [last('Total'), last('Passed'), last('Skipped')];
  if (total === undefined || passed === undefined || skipped === undefined) return undefined;
  return { total: Number(total), passed: Number(passed), skipped: Number(skipped) };
}

function withoutColours(text: string): string {
  return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
}

async function runProcess(options: RunOptions): Promise<{ output: string; fault?: string }> {
  const child = spawn(process.execPath, [options.file], {
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
    if (hasEnded || !readTotals(output)) return;
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
  const totals = readTotals(output);
  return totals !== undefined && totals.total === totals.passed;
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
