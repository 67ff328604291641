import { setTimeout as sleep } from 'node:timers/promises';
import { RestClient } from '../../dev/rest.ts';

/** A scan that has completed. */
export type Done = {
  runId: string;
  seconds: number;
  requests: number;
  findings: Awaited<ReturnType<RestClient['findings']>>;
};

export type ScanDoor = { gatewayUrl: string; key: string };

const pollMs = 50;

/**
 * Starts a scan as a client does and waits for its end.
 * @throws Error when it does not complete: a figure over scans that failed would mean nothing
 */
export async function runScan({ gatewayUrl, key }: ScanDoor, url: string, depth: 'standard' | 'deep'): Promise<Done> {
  const client = new RestClient(gatewayUrl, key, new AbortController().signal);
  const startMs = performance.now();
  const { runId } = await client.startScan(url, depth);
  for (;;) {
    const { status, requests, failure } = await client.scan(runId);
    const seconds = (performance.now() - startMs) / 1_000;
    if (status === 'completed') return { runId, seconds, requests, findings: await client.findings(runId) };
    if (status !== 'queued' && status !== 'running')
      throw new Error(`the scan of ${url} ended as ${status}: ${failure?.detail ?? 'no reason'}`);
    await sleep(pollMs);
  }
}

/** The value below which a share of the values lie (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
