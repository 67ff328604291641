import { glob, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Beginnings of paths of tests that bound how long something may take, or need all of the machine: they run one at a time. */
const serialPaths = ['test/faults/', 'test/long/', 'test/contract/429'];

export type TestFile = {
  /** Relative to the project, with slashes. */
  path: string;
  /** Must not run beside others. */
  serial: boolean;
};

/**
 * Test files of a project. The longest texts come first, for on the whole their tests last longest: so no lane goes on
 * by itself after the others.
 * @param long the long ones (in test/long/ or named *.long.test.ts) instead of all others
 * @param filters parts of paths; any may match, and none means every file
 */
export async function findTests(project: string, long: boolean, filters: string[]): Promise<TestFile[]> {
  const paths: string[] = [];
  for await (const path of glob('test/**/*.test.ts', { cwd: project })) paths.push(path.split(sep).join('/'));
  const wanted = filters.map((filter) => relative(project, filter).split(sep).join('/'));
  const chosen = paths
    .filter((path) => isLong(path) === long)
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part)));
  const sized = await Promise.all(
    chosen.map(async (path) => ({ path, bytes: (await stat(join(project, path))).size })),
  );
  return sized
    .sort((one, other) => other.bytes - one.bytes)
    .map(({ path }) => ({ path, serial: serialPaths.some((part) => path.startsWith(part)) }));
}

function isLong(path: string): boolean {
  return path.startsWith('test/long/') || path.endsWith('.long.test.ts');
}

/**
 * Faults that uvu does not see: a suite that is never run, and tests that are left out by `.only`.
 * @returns what is wrong, in words; none when all is well
 */
export async function faultsInSource(file: string): Promise<string[]> {
  const source = await readFile(file, 'utf8');
  const count = (pattern: RegExp) => source.match(pattern)?.length ?? 0;
  const suites = count(/=\s*suite(<[^>]*>)?\(/g);
  const runs = count(/\.run\(\)/g);
  const faults: string[] = [];
  if (runs < Math.max(suites, 1)) faults.push(`${suites} suites, but .run() is called ${runs} times`);
  if (count(/^\s*\w+\.only\(/gm) > 0) faults.push('.only leaves the other tests out');
  return faults;
}
