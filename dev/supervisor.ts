import { setTimeout as sleep } from 'node:timers/promises';
import { type Exit, type ProgramOptions, type RunningProgram, startProgram } from './process.ts';
import type { ProgramRecord } from './state.ts';

/** Waits before each attempt to bring a program back; milliseconds. After the last one it is given up. */
const restartDelaysMs = [200, 500, 1_000, 2_000, 5_000, 5_000, 5_000];
/** A program that stayed up this long starts with all attempts again. */
const settledMs = 3_000;

type SupervisorOptions = {
  record: ProgramRecord;
  report: (line: string) => void;
  /** A program came back under another pid. */
  onRestart: () => void;
  /** A program does not come back. */
  onGiveUp: (error: Error) => void;
};

/** Keeps programs running until they are stopped: one that ends by itself is started again. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #spawned = new Set<RunningProgram>();
  readonly #kept = new Map<string, RunningProgram>();
  /** How many of its attempts each program has used. */
  readonly #attempts = new Map<string, number>();
  readonly #stopping = new AbortController();

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Starts a program that is stopped with all others, and put on record for the next start. */
  readonly spawn = async (options: ProgramOptions): Promise<RunningProgram> => {
    if (this.#stopping.signal.aborted) throw new Error('The stack is being stopped.');
    const program = await startProgram(options);
    this.#spawned.add(program);
    program.exited.then(() => {
      this.#spawned.delete(program);
      return this.#options.record.remove(program.pid).catch(() => undefined);
    });
    await this.#options.record.add({ ...program, stopSignal: options.stopSignal ?? 'SIGTERM' });
    if (this.#stopping.signal.aborted) program.kill();
    return program;
  };

  /** Starts a program by `start`, which returns when it is ready, and brings it back whenever it ends. */
  async keep<T extends { program: RunningProgram }>(name: string, start: () => Promise<T>): Promise<T> {
    const started = await start();
    this.#watch(name, started.program, start);
    return started;
  }

  /** Pid of each program by name. */
  pids(): Record<string, number> {
    return Object.fromEntries([...this.#kept].map(([name, program]) => [name, program.pid]));
  }

  /** Stops the programs, stage by stage; then whatever else was started. Nothing is started from then on. */
  async stop(stages: string[][]): Promise<void> {
    this.#stopping.abort();
    for (const stage of stages) {
      const programs = stage.flatMap((name) => this.#kept.get(name) ?? []);
      await Promise.all(programs.filter((program) => this.#spawned.has(program)).map((program) => program.stop()));
    }
    while (this.#spawned.size > 0) await Promise.all([...this.#spawned].map((program) => program.stop()));
  }

  /** Ends every program at once. */
  kill(): void {
    this.#stopping.abort();
    for (const program of this.#spawned) program.kill();
  }

  #watch(name: string, program: RunningProgram, start: () => Promise<{ program: RunningProgram }>): void {
    const startedAt = Date.now();
    this.#kept.set(name, program);
    program.exited.then(async (exit) => {
      if (this.#stopping.signal.aborted) return;
      this.#options.report(`${program.name} ended unexpectedly (${describe(exit)}). Starting it again.`);
      await this.#bringBack(name, start, Date.now() - startedAt > settledMs ? 0 : (this.#attempts.get(name) ?? 0));
    });
  }

  async #bringBack(name: string, start: () => Promise<{ program: RunningProgram }>, from: number): Promise<void> {
    for (let attempt = from; ; attempt += 1) {
      const delayMs = restartDelaysMs[attempt];
      if (delayMs === undefined) return this.#options.onGiveUp(new Error(`${name} does not stay up.`));
      this.#attempts.set(name, attempt + 1);
      try {
        await sleep(delayMs, undefined, { signal: this.#stopping.signal });
        const { program } = await start();
        this.#watch(name, program, start);
        this.#options.report(`${program.name} is back.`);
        return this.#options.onRestart();
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        this.#options.report(error instanceof Error ? error.message : String(error));
      }
    }
  }
}

function describe({ code, signal }: Exit): string {
  return signal ? `by ${signal}` : `exit code ${code}`;
}
