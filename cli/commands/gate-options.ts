import { ApiRefusal } from '../api/problem.ts';
import type { Measure, ScansApi } from '../api/scans.ts';
import type { ScanBody } from '../api/schemas.ts';
import type { CommonOptions } from '../context.ts';
import { Trouble } from '../trouble.ts';

export type GateOptions = CommonOptions & {
  run?: string;
  threshold?: string;
  /** "all" or "new". */
  scope?: string;
  /** Run to compare with. */
  baseline?: string;
  /** "completed" or "verdict". */
  until?: string;
  deep?: boolean;
  /** Seconds. */
  timeout?: number;
  sarif?: string;
  junit?: string;
  json?: string;
  html?: string;
};

/** @throws Trouble when options contradict each other, or say nothing */
export function requireSense(url: string | undefined, { run, deep, scope, baseline }: GateOptions): void {
  if ((url === undefined) === (run === undefined))
    throw new Trouble('Give the URL to scan, or the scan to take with --run: one of the two.');
  if (run !== undefined && deep) throw new Trouble('--deep is for a scan that is started: leave it out with --run.');
  if (run?.trim() === '' || url?.trim() === '') throw new Trouble('The URL, or the run id, is empty.');
  if (baseline?.trim() === '') throw new Trouble('The run id of --baseline is empty.');
  if (baseline !== undefined && scope === 'all')
    throw new Trouble('--baseline is for --scope new: leave one of the two out.');
  if (baseline !== undefined && baseline === run)
    throw new Trouble('Compared with itself, no scan has anything new: give --baseline another run than --run.');
}

/** A scan's own limits, 15 minutes or 2 hours, and half an hour for its turn and what follows it. */
const timeoutSeconds = { standard: 45 * 60, deep: 150 * 60 };

/** A scan that is taken, not started, may be a deep one. */
export const timeoutSecondsOf = ({ timeout, deep, run }: GateOptions): number =>
  timeout ?? timeoutSeconds[deep || run !== undefined ? 'deep' : 'standard'];

/** Who names a run to compare with means what is new since. */
export const measureOf = ({ threshold, scope, baseline, until }: GateOptions): Measure => ({
  threshold,
  scope: scope ?? (baseline === undefined ? undefined : 'new'),
  baseline,
  until,
});

/**
 * Finds out before a scan is paid for whether there is something to compare with.
 * @returns undefined when no baseline is named
 * @throws Trouble
 */
export async function findBaseline(api: ScansApi, { baseline }: GateOptions): Promise<ScanBody | undefined> {
  if (baseline === undefined) return undefined;
  const scan = await api.get(baseline).catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.code === 'not_found')
      throw new Trouble(
        "There is no such scan for this key's organisation (404): check the run id of --baseline, and whose key this is.",
      );
    throw error;
  });
  if (scan.status !== 'completed')
    throw new Trouble(`The scan of --baseline is ${scan.status}: name one that has completed.`);
  return scan;
}

export const filesOf = ({ sarif, junit, json, html }: GateOptions): string[] =>
  [sarif, junit, json, html].filter((file) => file !== undefined);
