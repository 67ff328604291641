import { invalid } from '../errors.ts';
import type { ScanRow } from '../scans/entities.ts';

/** Everything that a run stores, artifacts compressed. */
export const maxRunBytes = 64 * 1024 * 1024;

/** Of what something is said of: a URL, at most. Characters. */
export const maxSubjectLength = 2_048;

/** Of what is said of it. Characters. */
export const maxTextLength = 1_000;

/**
 * Counts bytes against the run's limit.
 * @throws Refusal INVALID_PARAMETER when they no longer fit; nothing of the call is stored then
 */
export function addStored(scan: ScanRow, bytes: number): void {
  if (scan.storedBytes + bytes > maxRunBytes)
    throw invalid('INVALID_PARAMETER', 'runId', `the run would store more than ${maxRunBytes / 1024 / 1024} MiB`);
  scan.storedBytes += bytes;
}
