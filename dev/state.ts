import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PrivateFile, readJson } from './data-folder.ts';

/**
 * When a process started, in words that no other process with the same pid has: boot and clock ticks where there is
 * a /proc, else what `ps` says.
 * @returns undefined when there is no such process, or it has ended and only waits to be collected
 */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined);
  if (!boot) return startTimeFromPs(pid);
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field is the name in brackets and may hold anything; state and start time are fields 3 and 22.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!fields || fields[0] === 'Z') return undefined;
  return `${boot.trim()}/${fields[19]}`;
}

async function startTimeFromPs(pid: number): Promise<string | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  const line = stdout.trim();
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
}

const RecordedPrograms = z.array(
  z.object({ name: z.string(), pid: z.number().int().positive(), startedAt: z.string(), stopSignal: z.string() }),
);
type RecordedPrograms = z.infer<typeof RecordedPrograms>[number];

/** What of a stack's programs runs, on file, so that the next start can end what a killed one left. */
export class ProgramRecord {
  readonly #file: PrivateFile;
  readonly #running = new Map<number, RecordedPrograms>();

  constructor(folder: string) {
    this.#file = new PrivateFile(join(folder, 'programs.json'));
  }

  async add(program: { name: string; pid: number; stopSignal: NodeJS.Signals }): Promise<void> {
    const startedAt = await startTimeOf(program.pid);
    if (startedAt) this.#running.set(program.pid, { ...program, startedAt });
    await this.#write();
  }

  async remove(pid: number): Promise<void> {
    this.#running.delete(pid);
    await this.#write();
  }

  /**
   * Ends the programs that an earlier stack left behind: those whose pid and start time are on file.
   * @param graceMs time they have to end by themselves
   * @returns the names of what was ended
   */
  async reap(graceMs = 5_000): Promise<string[]> {
    const left = await this.#leftBehind();
    for (const program of left) signalGroup(program.pid, program.stopSignal as NodeJS.Signals);
    await Promise.all(left.map((program) => endWithin(program, graceMs)));
    await this.#write();
    return left.map(({ name }) => name);
  }

  async #leftBehind(): Promise<RecordedPrograms[]> {
    const recorded = RecordedPrograms.safeParse(await readJson(this.#file.path).catch(() => undefined));
    if (!recorded.success) return [];
    const alive = await Promise.all(
      recorded.data.map(async (program) => (await startTimeOf(program.pid)) === program.startedAt),
    );
    return recorded.data.filter((_, index) => alive[index]);
  }

  #write(): Promise<void> {
    return this.#file.write(() => [...this.#running.values()]);
  }
}

async function endWithin(program: RecordedPrograms, graceMs: number): Promise<void> {
  const runs = async () => (await startTimeOf(program.pid)) === program.startedAt;
  const deadline = Date.now() + graceMs;
  while (await runs()) {
    if (Date.now() > deadline) signalGroup(program.pid, 'SIGKILL');
    await sleep(50);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
