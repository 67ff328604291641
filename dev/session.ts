import { ConfigError } from '../kit/config.ts';
import { type Environment, loadStackConfig, type StackConfig } from './config.ts';
import { FolderInUse } from './data-folder.ts';
import { PortTaken } from './ports.ts';
import { ProgramError } from './process.ts';
import { type RunningStack, startStack } from './stack.ts';
import type { Supervisor } from './supervisor.ts';

export type StackSession = {
  stack: RunningStack;
  config: StackConfig;
  /** Aborted when the user wants to end. */
  signal: AbortSignal;
  /** Aborted when the user does not want to wait for an orderly end either. */
  atOnce: AbortSignal;
};

/** A terminal and the programs between it and us may each pass on one Ctrl-C; a later one is another. */
const sameSignalMs = 700;
/** Exit code of a start that the user ended: 128 + SIGINT. */
export const interruptedCode = 130;

/**
 * Starts the stack, does `work` with it and stops it again, whatever happens: no program is left when this returns.
 * The first SIGINT, SIGTERM or SIGHUP ends it in order, another one at once.
 * @returns the exit code: that of `work`, or 1 after an error, which is reported
 */
export async function runSession(
  env: Environment,
  report: (line: string) => void,
  work: (session: StackSession) => Promise<number>,
): Promise<number> {
  const ending = new AbortController();
  const endingAtOnce = new AbortController();
  let supervisor: Supervisor | undefined;
  let askedAt = 0;
  const onSignal = () => {
    if (Date.now() - askedAt < sameSignalMs) return;
    if (ending.signal.aborted) {
      endingAtOnce.abort();
      return supervisor?.kill();
    }
    askedAt = Date.now();
    report('Stopping …');
    ending.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  // Whoever read our lines may have gone: that is no reason to leave programs behind. Nor is an error of our own.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.once('exit', () => supervisor?.kill());
  let stack: RunningStack | undefined;
  try {
    const config = loadStackConfig(env);
    stack = await startStack({
      config,
      report,
      signal: ending.signal,
      onSupervisor: (made) => {
        supervisor = made;
      },
    });
    const session = { stack, config, signal: ending.signal, atOnce: endingAtOnce.signal };
    return await Promise.race([work(session), stack.failed]);
  } catch (error) {
    if (ending.signal.aborted) return interruptedCode;
    report(messageOf(error));
    return 1;
  } finally {
    await stack?.stop();
  }
}

/** Resolves when the user wants to end. */
export function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Errors that say what to do are shown by their message alone; any other is shown with its stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForTheUser = [ConfigError, FolderInUse, PortTaken, ProgramError].some((kind) => error instanceof kind);
  return isForTheUser ? error.message : (error.stack ?? error.message);
}
