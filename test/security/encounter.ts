import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as assert from 'uvu/assert';
import type { Target } from '../workflows/probe/support.ts';
import type { Encounter, Visit } from './hostile-visitor.ts';

const limitMs = 2_000;
const maxGrowthMiB = 64;
/** A visitor that says nothing for this long hangs. */
const silenceMs = 30_000;

/** A process that meets hostile targets, one after the other or at the same time. */
type Visitor = {
  /** Ends within its time, give or take a second; and the process has not grown, whatever it met before. */
  meet(url: string, action?: Visit['action']): Promise<Encounter>;
  close(): void;
};

export function startVisitor(): Visitor {
  const program = new URL('./hostile-visitor.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--expose-gc', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<string, (met: Encounter | undefined) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const met: Encounter = JSON.parse(line);
    waiting.get(met.url)?.(met);
  });
  child.once('exit', () => {
    for (const done of waiting.values()) done(undefined);
  });
  return {
    async meet(url, action = 'get') {
      const visit: Visit = { url, action, limitMs };
      const answered = new Promise<Encounter | undefined>((resolve) => waiting.set(url, resolve));
      child.stdin.write(`${JSON.stringify(visit)}\n`);
      const timer = setTimeout(() => child.kill('SIGKILL'), silenceMs);
      const met = await answered;
      clearTimeout(timer);
      assert.ok(met, `${url} (${action}) ended the process or kept it busy`);
      assert.ok(met.elapsedMs < limitMs + 2_000, `${url} took ${met.elapsedMs} ms`);
      assert.ok(met.grownMiB <= maxGrowthMiB, `grew by ${met.grownMiB} MiB until ${url}`);
      return met;
    },
    close: () => void child.kill('SIGKILL'),
  };
}

/** Meets one hostile target in a process of its own. */
export async function encounter(url: string): Promise<Encounter> {
  const visitor = startVisitor();
  try {
    return await visitor.meet(url);
  } finally {
    visitor.close();
  }
}

export async function atTarget<T>(target: Target, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await target.close();
  }
}
