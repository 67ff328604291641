import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Seconds that test files took when they were last recorded, by path; those that took less than one are left out. */
export type Durations = Readonly<Record<string, number>>;

/** Of a file that is not recorded. */
export const unrecordedSeconds = 0.5;

const fileOf = (project: string) => join(project, 'test/runner/durations.json');

export async function readDurations(project: string): Promise<Durations> {
  return z.record(z.string(), z.number()).parse(JSON.parse(await readFile(fileOf(project), 'utf8')));
}

/**
 * @param measured seconds of the files that ran
 * @param present paths of all test files there are: others are forgotten
 */
export function updatedDurations(recorded: Durations, measured: Durations, present: string[]): Durations {
  const known = new Set(present);
  const all = Object.entries({ ...recorded, ...measured });
  const kept = all.filter(([path, seconds]) => known.has(path) && seconds >= 1);
  return Object.fromEntries(
    kept.sort(([one], [other]) => (one < other ? -1 : 1)).map(([path, seconds]) => [path, Math.round(seconds)]),
  );
}

export async function recordDurations(project: string, measured: Durations, present: string[]): Promise<void> {
  const updated = updatedDurations(await readDurations(project), measured, present);
  await writeFile(fileOf(project), `${JSON.stringify(updated, null, 2)}\n`);
}
