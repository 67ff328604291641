import { availableParallelism, cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchStack } from './bench-stack.ts';
import { newOrg } from './orgs.ts';
import { runScan } from './scan-client.ts';
import { type SmallSite, startSmallSite } from './sites/small-site.ts';
import { fixed, type Row } from './table.ts';
import { startWorker, type Worker } from './worker.ts';

/** Hosts that are scanned at the same time: an org scans each one once at a time. */
const siteCount = 8;
const scansPerSite = 2;
const warmUpMs = 5_000;
/** Beyond this the cores have nothing left to give. */
const fullShare = 0.9;
/** Less growth than this is none. */
const minGrowth = 1.2;

type Round = { workers: number; scansPerMinute: number; busyShare: number };

/** How many scans of small sites a minute 1, 2 and 4 workers do beside each other on this machine. */
export async function throughputRows(stack: BenchStack): Promise<Row[]> {
  const hosts = Array.from({ length: siteCount }, (_, index) => `bakery${index}.localhost`);
  const sites = await Promise.all(hosts.map(startSmallSite));
  const workers: Worker[] = [];
  try {
    const { key } = await newOrg(stack, hosts);
    const rounds: Round[] = [];
    for (const count of [1, 2, 4]) {
      while (workers.length < count)
        workers.push(await startWorker(stack, { hosts, authorities: sites.map(({ authority }) => authority) }));
      await sleep(warmUpMs);
      rounds.push({ workers: count, ...(await measureRound({ gatewayUrl: stack.gatewayUrl, key }, sites)) });
    }
    return rounds.slice(1).flatMap((round, index) => rowFor(round, rounds[index] ?? round));
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await Promise.all(sites.map((site) => site.close()));
  }
}

async function measureRound(api: { gatewayUrl: string; key: string }, sites: readonly SmallSite[]) {
  const before = busyTime();
  const startMs = performance.now();
  await Promise.all(
    sites.map(async ({ url }) => {
      for (let scan = 0; scan < scansPerSite; scan += 1) await runScan(api, url, 'standard');
    }),
  );
  const ms = performance.now() - startMs;
  const busyShare = (busyTime() - before) / (ms * availableParallelism());
  return { scansPerMinute: (siteCount * scansPerSite * 60_000) / ms, busyShare };
}

/** Milliseconds that all cores together have worked. */
const busyTime = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);

function rowFor(round: Round, before: Round): Row {
  const ratio = round.scansPerMinute / before.scansPerMinute;
  const isFull = before.busyShare >= fullShare;
  const words = ({ scansPerMinute, workers, busyShare }: Round) =>
    `${fixed(scansPerMinute)} a minute with ${workers}, cores ${Math.round(busyShare * 100)} % busy`;
  return {
    what: `standard scans, ${round.workers} workers`,
    ours: words(round),
    beside: words(before),
    ratio,
    aim: {
      text: `≥ ${minGrowth} × until the cores are full`,
      missedBy: () => (isFull || ratio >= minGrowth ? undefined : `${(minGrowth - ratio).toFixed(2)} ×`),
    },
  };
}
