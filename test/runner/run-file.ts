import { join } from 'node:path';
import { faultsInSource } from './files.ts';
import { type ProcessOptions, runProcess } from './run-process.ts';
import { allTotals, readTotals } from './totals.ts';

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

type Settings = Omit<ProcessOptions, 'args' | 'files'>;

type RunOptions = Settings & {
  /** Absolute path of a test file. */
  file: string;
};

type BatchOptions = Settings & {
  /** Absolute paths of test files. */
  files: string[];
};

/**
 * Runs one uvu file in a process group of its own and judges it by its totals, its exit and what it leaves behind:
 * uvu alone reports success for a hook that throws, a suite that is not run and `throw null`, and waits for ever for
 * a handle that is left open.
 */
export async function runFile({ file, ...settings }: RunOptions): Promise<Outcome> {
  const startedAt = performance.now();
  const faults = await faultsInSource(file);
  const { output, fault } = await runProcess({ ...settings, args: [file], files: 1 });
  if (fault) faults.push(fault);
  const totals = readTotals(output);
  if (!totals) faults.push('it did not print its totals');
  else if (totals.total === 0) faults.push('it has no tests');
  const { total, passed, skipped } = totals ?? { total: 0, passed: 0, skipped: 0 };
  const failed = Math.max(total - passed, faults.length > 0 ? 1 : 0);
  return { passed, failed, skipped, faults, output, durationMs: performance.now() - startedAt };
}

/** What many files have shared is ended at once, beside batches that end at the same time. */
const batchExitMs = 60_000;

type BatchOutcome = {
  /** Of the first files in order, in which all is well. */
  outcomes: Outcome[];
  /** Why the others have to be run again. */
  fault?: string;
  /** It is known to be that of the first of them: those after it have not been run, or could have been disturbed by it. */
  isOfNext?: boolean;
};

/**
 * Runs several files in one process. What does not end well there counts for nothing: only a process of its own shows
 * what fails.
 */
export async function runBatch({ files, ...settings }: BatchOptions): Promise<BatchOutcome> {
  const faults = (await Promise.all(files.map(faultsInSource))).flat();
  if (faults.length > 0) return { outcomes: [], fault: faults.join('; ') };
  const program = join(import.meta.dirname, 'batch.ts');
  const args = [program, ...files];
  const { output, fault } = await runProcess({ exitMs: batchExitMs, ...settings, args, files: files.length });
  if (fault) return { outcomes: [], fault };
  const totals = allTotals(output);
  const bad = totals.findIndex(({ total, passed }) => total === 0 || passed < total);
  const outcomes = totals.slice(0, bad < 0 ? totals.length : bad).map(
    ({ passed, skipped, durationMs }): Outcome => ({
      ...{ passed, failed: 0, skipped, durationMs },
      ...{ faults: [], output: '' },
    }),
  );
  if (bad >= 0) return { outcomes, fault: `not all tests passed in ${files[bad]}`, isOfNext: true };
  if (totals.length === files.length) return { outcomes };
  return { outcomes: [], fault: `${totals.length} of ${files.length} files printed totals` };
}
