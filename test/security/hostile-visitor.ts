import { survey } from '../../workflows/probe/crawl/crawler.ts';
import { ProbeError } from '../../workflows/probe/types.ts';
import { openFor } from '../workflows/probe/support.ts';

/**
 * A process of its own that meets one hostile answer, so that its memory can be measured.
 * Arguments: URL, "get" or "survey" or "tls", time limit in ms. Prints one line of JSON.
 */
export type Encounter = {
  /** Error code, or "answer" with what came of it. */
  outcome: string;
  truncated?: boolean;
  bytes?: number;
  pages?: number;
  requests: number;
  elapsedMs: number;
  grownMiB: number;
};

const [, , target = '', action = 'get', limit = '2000'] = process.argv;
const timeoutMs = Number(limit);
const mebibyte = 1024 * 1024;
const url = new URL(target);

async function meet(): Promise<Partial<Encounter> & { requests: number }> {
  const probes = openFor(url.origin, { share: { deadlineMs: Date.now() + timeoutMs } });
  try {
    if (action === 'tls') await probes.tls.handshake({ host: url.hostname, port: Number(url.port), timeoutMs });
    if (action === 'survey') {
      const request = { probes, url: target, startUrls: [], excludedPaths: [], signal: new AbortController().signal };
      const { pages, skipped } = await survey(request);
      return { outcome: 'answer', pages: pages.length, truncated: skipped.length > 0, requests: probes.requests() };
    }
    const exchange = await probes.http.get(target, { timeoutMs, maxRedirects: 10 });
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
  const probes = openFor(url.origin);
  await probes.http.get(`${url.origin}/calm`, { timeoutMs: 500 }).catch(() => {});
  await probes.close();
  // A worker at work has its young generation at full size; garbage makes it so here.
  for (let index = 0; index < 200; index++) structuredClone(Array.from({ length: 5_000 }, () => ({ index })));
}

await warmUp();
globalThis.gc?.();
const before = process.memoryUsage.rss();
let most = before;
const sampler = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 5);
const startMs = performance.now();
const met = await meet();
const elapsedMs = performance.now() - startMs;
clearInterval(sampler);
most = Math.max(most, process.memoryUsage.rss());
process.stdout.write(`${JSON.stringify({ ...met, elapsedMs, grownMiB: (most - before) / mebibyte })}\n`);
