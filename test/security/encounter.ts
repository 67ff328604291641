import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import type { Target } from '../workflows/probe/support.ts';
import type { Encounter } from './hostile-visitor.ts';

const limitMs = 2_000;
const maxGrowthMiB = 64;

/** Meets a hostile target in a process of its own: within its time, give or take a second, and without growing. */
export async function encounter(url: string, action = 'get'): Promise<Encounter> {
  const program = new URL('./hostile-visitor.ts', import.meta.url).pathname;
  const words = ['--expose-gc', program, url, action, String(limitMs)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 30_000 });
  const met: Encounter = JSON.parse(stdout);
  assert.ok(met.elapsedMs < limitMs + 1_000, `took ${met.elapsedMs} ms`);
  assert.ok(met.grownMiB <= maxGrowthMiB, `grew by ${met.grownMiB} MiB`);
  return met;
}

export async function atTarget<T>(target: Target, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await target.close();
  }
}
