import { glob, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { readDurations, unrecordedSeconds } from './durations.ts';

/** Beginnings of paths of tests that bound how long something may take, or need all of the machine: they run one at a time. */
const serialPaths = ['test/long/', 'test/security/hostile.test'];

/** Parts of the project whose short test files share processes: a file belongs to the first that it lies in. */
const sharedPaths = [
  'test/workflows/activities/',
  'test/workflows/',
  'test/core/',
  'test/gateway/',
  'test/contract/',
  'test/kit/',
  'test/cli/',
  'test/dev/',
  'test/structure/',
];
const mostFilesPerProcess = 90;
/** About how long a process of several files lasts, and beyond how much a file has a process of its own. */
const secondsPerProcess = 240;
const mostSharedSeconds = 100;
/** Some of its tests are run with the long ones alone (test/support/further.ts). */
const hasFurther = /\/further\.ts'/;
/** What changes its process could change it for others. */
const ownProcess =
  /createBrowserPool|startWorker|Runtime\.install|process\.(?:on|once|exit|chdir)\(|process\.env(?:\.\w+|\[\w+\]) = /;

export type TestFile = {
  /** Relative to the project, with slashes. */
  path: string;
  /** Must not run beside others. */
  serial: boolean;
  /** Runs in one process with others when there are some. */
  shared: boolean;
  /** How long its tests took when that was last recorded. */
  seconds: number;
};

/** Paths of all test files of a project, long ones too, with slashes. */
export async function testPaths(project: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of glob('test/**/*.test.ts', { cwd: project })) paths.push(path.split(sep).join('/'));
  return paths;
}

/**
 * Test files of a project, those that last longest first.
 * @param long the long ones (in test/long/ or named *.long.test.ts), and those with tests that only run with them, instead of all others
 * @param filters parts of paths; any may match, and none means every file
 */
export async function findTests(project: string, long: boolean, filters: string[]): Promise<TestFile[]> {
  const wanted = filters.map((filter) => relative(project, filter).split(sep).join('/'));
  const chosen = (await testPaths(project)).filter(
    (path) => wanted.length === 0 || wanted.some((part) => path.includes(part)),
  );
  const durations = await readDurations(project);
  const files = chosen.map(async (path): Promise<TestFile[]> => {
    const source = await readFile(join(project, path), 'utf8');
    if (isLong(path) !== long && !(long && hasFurther.test(source))) return [];
    const serial = serialPaths.some((part) => path.startsWith(part));
    const seconds = durations[path] ?? unrecordedSeconds;
    const isShort = seconds <= mostSharedSeconds && partOf(path) !== undefined;
    const shared = isShort && !serial && !long && !ownProcess.test(source);
    return [{ path, serial, shared, seconds }];
  });
  return (await Promise.all(files)).flat().sort(byDuration);
}

const byDuration = (one: TestFile, other: TestFile) => other.seconds - one.seconds || (one.path < other.path ? -1 : 1);

/**
 * What each process runs: a file that needs one of its own, or a batch of others from one part of the project. Those
 * that last longest come first, so that all processors are busy up to the end.
 */
export function processesOf(files: TestFile[]): TestFile[][] {
  const alone = files.filter(({ shared }) => !shared).map((file) => [file]);
  const batches = sharedPaths.flatMap((part) =>
    deal(files.filter(({ shared, path }) => shared && partOf(path) === part)),
  );
  return [...alone, ...batches].sort((one, other) => secondsOf(other) - secondsOf(one));
}

const partOf = (path: string) => sharedPaths.find((part) => path.startsWith(part));

const secondsOf = (files: TestFile[]) => files.reduce((sum, { seconds }) => sum + seconds, 0);

/** Each file to the batch that is shortest so far, so that all last about as long. */
function deal(files: TestFile[]): TestFile[][] {
  const count = Math.ceil(Math.max(files.length / mostFilesPerProcess, secondsOf(files) / secondsPerProcess));
  const batches = Array.from({ length: count }, (): TestFile[] => []);
  for (const file of files) {
    const [shortest] = batches
      .filter(({ length }) => length < mostFilesPerProcess)
      .sort((one, other) => secondsOf(one) - secondsOf(other));
    shortest?.push(file);
  }
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
