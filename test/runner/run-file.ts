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

export type RunOptions = Settings & {
  /** Absolute path of a test file. */
  file: string;
};

export type BatchOptions = Settings & {
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

/**
 * Runs several files in one process. Only a run in which all is well counts: in any other the files may have disturbed
 * each other, and only a process of its own shows which one failed.
 * @returns the outcome of each file in order, or why they have to be run one by one
 */
export async function runBatch({ files, ...settings }: BatchOptions): Promise<Outcome[] | string> {
  const faults = (await Promise.all(files.map(faultsInSource))).flat();
  if (faults.length > 0) return faults.join('; ');
  const program = join(import.meta.dirname, 'batch.ts');
  const { output, fault } = await runProcess({ ...settings, args: [program, ...files], files: files.length });
  if (fault) return fault;
  const totals = allTotals(output);
  const bad = totals.findIndex(({ total, passed }) => total === 0 || passed < total);
  if (bad >= 0) return `not all tests passed in ${files[bad]}`;
  if (totals.length !== files.length) return `${totals.length} of ${files.length} files printed totals`;
  return totals.map(({ passed, skipped, durationMs }) => ({
    passed,
    failed: 0,
    skipped,
    faults: [],
    output: '',
    durationMs,
  }));
}
