import { setTimeout as sleep } from 'node:timers/promises';
import type { ScansApi } from './api/scans.ts';
import type { ScanBody } from './api/schemas.ts';
import type { ScanProgress } from './progress.ts';
import { Interrupted, OutOfTime } from './trouble.ts';

/** Short at first, for small sites; later a fifth of the smallest plan's 120 requests a minute at most. */
const pausesMs = [500, 500, 1_000, 1_000, 1_000, 2_000];
const laterPauseMs = 2_500;

export const isFinished = ({ status }: Pick<ScanBody, 'status'>): boolean =>
  status !== 'queued' && status !== 'running';

/**
 * Shows how far a scan is until it has ended, or until `isDecided` says so.
 * @param deadlineMs moment of performance.now()
 * @param isDecided asked each time the number of findings has changed
 * @throws OutOfTime, Interrupted, and what the API says
 */
export async function waitForEnd(
  api: ScansApi,
  runId: string,
  {
    progress,
    signal,
    deadlineMs,
    isDecided = async () => false,
  }: {
    progress: ScanProgress;
    signal: AbortSignal;
    deadlineMs: number;
    isDecided?: (() => Promise<boolean>) | undefined;
  },
): Promise<ScanBody> {
  try {
    let seenFindings = 0;
    for (let looks = 0; ; looks += 1) {
      const scan = await api.get(runId);
      progress.show(scan);
      if (isFinished(scan)) return scan;
      if (scan.findingsCount !== seenFindings && (await isDecided())) return scan;
      seenFindings = scan.findingsCount;
      const pauseMs = pausesMs[looks] ?? laterPauseMs;
      if (performance.now() + pauseMs >= deadlineMs) throw new OutOfTime('The time is up before the scan has ended.');
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        throw new Interrupted('Interrupted.');
      });
    }
  } finally {
    progress.clear();
  }
}
