import { createInterface } from 'node:readline';
import { ProbeError } from '../../workflows/model/probe-error.ts';
import { survey } from '../../workflows/survey/crawler.ts';
import { openFor } from '../workflows/probe/support.ts';

/** One hostile answer to meet; several are met at the same time when they are asked for without waiting. URLs differ. */
export type Visit = {
  url: string;
  action: 'get' | 'survey' | 'tls';
  /** For everything. */
  limitMs: number;
};

export type Encounter = {
  url: string;
  /** Error code, or "answer" with what came of it. */
  outcome: string;
  truncated?: boolean;
  bytes?: number;
  pages?: number;
  requests: number;
  elapsedMs: number;
  /** Most memory until now, beyond what the process had before its first visit. */
  grownMiB: number;
};

const mebibyte = 1024 * 1024;

async function meet({ url, action, limitMs }: Visit): Promise<Partial<Encounter> & { requests: number }> {
  const { origin, hostname, port } = new URL(url);
  const probes = openFor(origin, { share: { deadlineMs: Date.now() + limitMs } });
  try {
    if (action === 'tls') await probes.tls.handshake({ host: hostname, port: Number(port), timeoutMs: limitMs });
    if (action === 'survey') {
      const request = { probes, url, startUrls: [], excludedPaths: [], signal: new AbortController().signal };
      const { pages, skipped } = await survey(request);
      return { outcome: 'answer', pages: pages.length, truncated: skipped.length > 0, requests: probes.requests() };
    }
    const exchange = await probes.http.get(url, { timeoutMs: limitMs, maxRedirects: 10 });
    const { truncated, body, text } = exchange;
    return { outcome: 'answer', truncated, bytes: Math.max(body.length, text.length), requests: probes.requests() };
  } catch (error) {
    if (!(error instanceof ProbeError)) throw error;
    return { outcome: error.code, requests: probes.requests() };
  } finally {
    await probes.close();
  }
}

/** What every process needs once, so that it does not count as growth. */
async function warmUp(): Promise<void> {
  const probes = openFor('http://shop.localhost:9');
  await probes.http.get('http://shop.localhost:9/', { timeoutMs: 500 }).catch(() => {});
  await probes.close();
  // A worker at work has its young generation at full size; garbage makes it so here.
  for (let index = 0; index < 200; index++) structuredClone(Array.from({ length: 5_000 }, () => ({ index })));
}

/** A process of its own, so that its memory can be measured. Reads a visit a line, and prints an encounter a line. */
await warmUp();
globalThis.gc?.();
const before = process.memoryUsage.rss();
let most = before;
const measure = () => {
  most = Math.max(most, process.memoryUsage.rss());
};
const sampler = setInterval(measure, 5);
const lines = createInterface({ input: process.stdin });
lines.on('line', async (line) => {
  const visit: Visit = JSON.parse(line);
  // Garbage of the visit before is no growth.
  globalThis.gc?.();
  const startMs = performance.now();
  const met = await meet(visit);
  const elapsedMs = performance.now() - startMs;
  measure();
  const { url } = visit;
  process.stdout.write(`${JSON.stringify({ url, ...met, elapsedMs, grownMiB: (most - before) / mebibyte })}\n`);
});
lines.once('close', () => clearInterval(sampler));
