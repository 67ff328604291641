import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { BenchStack } from './bench-stack.ts';
import { demoHosts, equipOrg, startDemoTarget } from './demo-target.ts';
import { newOrg } from './orgs.ts';
import { profileOf, profileTable } from './profile.ts';
import { type Done, percentile, runScan } from './scan-client.ts';
import { type SmallSite, startSmallSite } from './sites/small-site.ts';
import { fixed, type Row, within } from './table.ts';
import { startWorker, type Worker } from './worker.ts';

type Measured = { rows: Row[]; profiles: string[] };

const siteHost = 'bakery.localhost';
/** Connections that a scan has at most. */
const connections = 5;
/** The browser is warm by then. */
const warmUpMs = 5_000;

/** The rows of scans with one worker, and where their time went. */
export async function scanRows(stack: BenchStack, counts: { standard: number; deep: number }): Promise<Measured> {
  const site = await startSmallSite(siteHost);
  const demo = await startDemoTarget(stack, false);
  try {
    const worker = await startWorker(stack, {
      hosts: [siteHost, ...demoHosts],
      authorities: [site.authority, demo.authority],
      dnsServer: demo.dnsServer,
    });
    await sleep(warmUpMs);
    const idleMb = await worker.memoryMb();
    const org = await newOrg(stack, [siteHost]);
    await equipOrg(stack, org, demo.url);
    const api = { gatewayUrl: stack.gatewayUrl, key: org.key };
    const profile = async (title: string, { runId }: Done, scans: number) =>
      profileTable(title, await profileOf(stack.temporalAddress, runId), await worker.checkSeconds(), scans);

    const memory = watchMemory(worker);
    const small = await repeat(counts.standard, () => runScan(api, site.url, 'standard'));
    const bareSeconds = await bareRequests(site, small.last.requests);
    const smallProfile = await profile('Small site, standard', small.last, counts.standard);
    const { last: standard } = await repeat(1, () => runScan(api, demo.url, 'standard'));
    const deep = await repeat(counts.deep, () => runScan(api, demo.url, 'deep'));
    const peakMb = await memory.stop();
    const profiles = [smallProfile, await profile('Demo, deep (checks: all scans so far)', deep.last, 1)];
    await worker.stop();
    return {
      rows: [
        {
          ...timeRow('standard scan of a small site', small.seconds, 3),
          beside: `its ${small.last.requests} requests from a bare client ${fixed(bareSeconds)} s`,
          ratio: percentile(small.seconds, 0.95) / bareSeconds,
        },
        {
          ...timeRow('deep scan of the demo', deep.seconds, 20),
          beside: `standard scan of it ${fixed(standard.seconds)} s`,
          ratio: percentile(deep.seconds, 0.95) / standard.seconds,
        },
        memoryRow(idleMb, peakMb),
      ],
      profiles,
    };
  } finally {
    await demo.close();
    await site.close();
  }
}

type Repeated = { seconds: number[]; last: Done };

async function repeat(count: number, run: () => Promise<Done>): Promise<Repeated> {
  const seconds: number[] = [];
  for (let last = await run(); ; last = await run()) {
    seconds.push(last.seconds);
    if (seconds.length >= count) return { seconds, last };
  }
}

const timeRow = (what: string, seconds: readonly number[], limit: number): Pick<Row, 'what' | 'ours' | 'aim'> => {
  const p95 = percentile(seconds, 0.95);
  return {
    what: `${what}, ${seconds.length} times`,
    ours: `p50 ${fixed(percentile(seconds, 0.5))}, p95 ${fixed(p95)} s`,
    aim: within(`p95 ≤ ${limit} s`, p95, limit, 's'),
  };
};

const memoryRow = (idleMb: number, peakMb: number): Row => ({
  what: 'memory of the worker in these scans, without the browser',
  ours: `${fixed(peakMb)} MB at most`,
  beside: `idle ${fixed(idleMb)} MB`,
  ratio: peakMb / idleMb,
  aim: within('≤ 150 MB above it', peakMb - idleMb, 150, 'MB'),
});

/** @returns the most that was seen since */
function watchMemory(worker: Worker): { stop(): Promise<number> } {
  const ending = new AbortController();
  let peakMb = 0;
  const watching = (async () => {
    while (!ending.signal.aborted) {
      peakMb = Math.max(peakMb, await worker.memoryMb());
      await sleep(200, undefined, { signal: ending.signal }).catch(() => {});
    }
  })();
  return {
    async stop() {
      ending.abort();
      await watching;
      return peakMb;
    },
  };
}

/** Seconds that as many requests take when nothing is looked at, each on a connection of its own. */
async function bareRequests(site: SmallSite, count: number): Promise<number> {
  const agent = new Agent({ pipelining: 0, connect: { ca: site.authority, lookup: toLoopback } });
  const startMs = performance.now();
  let left = count;
  const runNext = async () => {
    while (left-- > 0) await (await request(site.url, { dispatcher: agent })).body.dump();
  };
  await Promise.all(Array.from({ length: connections }, runNext));
  await agent.close();
  return (performance.now() - startMs) / 1_000;
}

type LookUp = (error: null, addresses: { address: string; family: number }[]) => void;
const toLoopback = (_host: string, _options: object, found: LookUp) =>
  found(null, [{ address: '127.0.0.1', family: 4 }]);
