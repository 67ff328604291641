import { glob, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Beginnings of paths of tests that bound how long something may take, or need all of the machine: they run one at a time. */
const serialPaths = ['test/long/', 'test/contract/429'];
/** Of tests that wait for long, most of all for programs that start and stop: they begin before all others. */
const longestPaths = ['test/faults/'];

/** Parts of the project whose small test files share processes. */
const sharedPaths = [
  'test/workflows/',
  'test/core/',
  'test/gateway/',
  'test/contract/',
  'test/kit/',
  'test/structure/',
];
const filesPerProcess = 8;
const mostSharedBytes = 12_000;
/** What starts a browser lasts long, and what changes its process could change it for others. */
const ownProcess = /testBrowsers|createBrowserPool|startWorker|process\.(?:on|once|exit|chdir)\(|process\.env\b/;

export type TestFile = {
  /** Relative to the project, with slashes. */
  path: string;
  /** Must not run beside others. */
  serial: boolean;
  /** Runs in one process with others when there are some. */
  shared: boolean;
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
  const read = await Promise.all(
    chosen.map(async (path) => ({ path, source: await readFile(join(project, path), 'utf8') })),
  );
  const weight = ({ path, source }: { path: string; source: string }) =>
    longestPaths.some((part) => path.startsWith(part)) ? Number.MAX_SAFE_INTEGER : source.length;
  return read
    .sort((one, other) => weight(other) - weight(one))
    .map(({ path, source }) => {
      const serial = serialPaths.some((part) => path.startsWith(part));
      return { path, serial, shared: !serial && !long && isShared(path, source) };
    });
}

function isShared(path: string, source: string): boolean {
  if (!sharedPaths.some((part) => path.startsWith(part))) return false;
  return source.length <= mostSharedBytes && !ownProcess.test(source);
}

/**
 * What each process runs: files that need one of their own first, then the others, a batch's from one part of the
 * project, dealt so that its batches last about as long.
 */
export function processesOf(files: TestFile[]): TestFile[][] {
  const alone = files.filter(({ shared }) => !shared).map((file) => [file]);
  const batches = sharedPaths.flatMap((part) =>
    deal(files.filter(({ shared, path }) => shared && path.startsWith(part))),
  );
  return [...alone, ...batches];
}

function deal(files: TestFile[]): TestFile[][] {
  const batches = Array.from({ length: Math.ceil(files.length / filesPerProcess) }, (): TestFile[] => []);
  for (const [index, file] of files.entries()) batches[index % batches.length]?.push(file);
  return batches;
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
