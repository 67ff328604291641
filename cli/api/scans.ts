import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Client } from './client.ts';
import { type FindingBody, Findings, GateBody, ScanBody, Scans, Started } from './schemas.ts';

const pageSize = 100;

/**
 * @property baseline id of the run that scope "new" compares with
 * @property until "verdict": a scan that has not finished fails as soon as a finding blocks; pending otherwise
 */
export type Measure = Partial<Record<'threshold' | 'scope' | 'baseline' | 'until', string | undefined>>;

/** The endpoints of scans. */
export class ScansApi {
  readonly #client: Client;
  constructor(client: Client) {
    this.#client = client;
  }

  /** However often it is sent on the way, it starts and costs one scan. */
  start(url: string, depth: 'standard' | 'deep'): Promise<Started> {
    const body = { url, depth };
    return this.#client.json(Started, { method: 'POST', path: '/api/v1/scans', body, idempotencyKey: randomUUID() });
  }

  get(runId: string): Promise<ScanBody> {
    return this.#client.json(ScanBody, { path: pathOf(runId) });
  }

  cancel(runId: string): Promise<ScanBody> {
    return this.#client.json(ScanBody, { method: 'POST', path: `${pathOf(runId)}/cancel`, body: {} });
  }

  /** @param measure what the scan is measured by; the service's own defaults for what is undefined */
  gate(runId: string, { threshold, scope, baseline, until }: Measure): Promise<GateBody> {
    return this.#client.json(GateBody, {
      path: `${pathOf(runId)}/gate${queryOf({ threshold, scope, baseline, until })}`,
    });
  }

  sarif(runId: string): Promise<Uint8Array> {
    return this.#client.bytes({ path: `${pathOf(runId)}/findings`, accept: 'application/sarif+json' });
  }

  report(runId: string): Promise<Uint8Array> {
    return this.#client.bytes({ path: `${pathOf(runId)}/report`, accept: 'text/html' });
  }

  /** All findings of a completed scan, worst first. */
  findings(runId: string, filter: { minSeverity?: string | undefined } = {}): Promise<FindingBody[]> {
    return this.#all(`${pathOf(runId)}/findings`, Findings, filter, Number.POSITIVE_INFINITY);
  }

  /** The newest scans. */
  list(filter: Record<string, string | undefined>, limit: number): Promise<ScanBody[]> {
    return this.#all('/api/v1/scans', Scans, filter, limit);
  }

  async #all<T>(
    path: string,
    schema: z.ZodType<{ items: T[]; nextCursor?: string | undefined }>,
    filter: Record<string, string | undefined>,
    limit: number,
  ): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    do {
      const size = String(Math.min(pageSize, limit - items.length));
      const page = await this.#client.json(schema, { path: path + queryOf({ ...filter, limit: size, cursor }) });
      items.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined && items.length < limit);
    return items;
  }
}

const pathOf = (runId: string) => `/api/v1/scans/${encodeURIComponent(runId)}`;

function queryOf(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}
