import type { BenchStack } from './bench-stack.ts';
import { type Measured, measure } from './load.ts';
import { addHistory, newOrg } from './orgs.ts';
import { atLeast, atMost, fixed, type Row } from './table.ts';

const domain = 'bench.example';

/** The API rows of the speed table. Rates are per second, times in milliseconds. */
export async function apiRows(stack: BenchStack, durationSeconds: number): Promise<Row[]> {
  const { ready } = await stack.start('test/bench/peer.ts', { DATABASE_URL: stack.databaseUrl });
  const peerUrl = `http://127.0.0.1:${ready.port}`;
  const [small, big] = [await newOrg(stack, [domain]), await newOrg(stack, [domain])];
  const runId = await addHistory(stack, small.orgId, domain, 1_000);
  await addHistory(stack, big.orgId, domain, 1_000_000);
  const api = `${stack.gatewayUrl}/api/v1/scans`;
  const run = (url: string, key: string, connections: number, rate?: number) =>
    measure({ url, key, durationSeconds, connections, ...(rate === undefined ? {} : { rate }) });
  const get = [`${api}/${runId}`, `${peerUrl}/scans/${runId}`] as const;
  for (const url of get) await run(url, small.key, 32);
  const [ours, peer] = await both(get, (url) => run(url, small.key, 32));
  const [oursPaced, peerPaced] = await both(get, (url) => run(url, small.key, 16, 500));
  let host = 0;
  const body = () => ({ url: `https://h${host++}.${domain}/` });
  const post = [api, `${peerUrl}/scans`] as const;
  const [start, peerStart] = await both(post, (url) =>
    measure({ url, key: small.key, durationSeconds, connections: 16, rate: 200, body }),
  );
  const listed = (key: string) => run(`${api}?limit=20`, key, 4);
  await listed(big.key);
  const [list, bigList] = [await listed(small.key), await listed(big.key)];
  return [
    throughput('GET /scans/:id, 32 connections', ours, peer, atLeast(0.5)),
    p99('GET /scans/:id at 500/s', oursPaced, peerPaced, atMost(1.2)),
    p99('POST /scans at 200/s, no dispatch', start, peerStart, atMost(1.3)),
    {
      what: 'list of 20, of 1,000,000 scans',
      ours: `${fixed(bigList.meanMs)} ms mean`,
      beside: `${fixed(list.meanMs)} ms with 1,000 scans`,
      ratio: bigList.meanMs / list.meanMs,
      aim: atMost(1.2),
    },
  ];
}

/** The peer directly after ours, so that both meet the same machine. */
const both = async (urls: readonly [string, string], run: (url: string) => Promise<Measured>) =>
  [await run(urls[0]), await run(urls[1])] as const;

const throughput = (what: string, ours: Measured, peer: Measured, aim: Row['aim']): Row => ({
  what,
  ours: `${fixed(ours.requestsPerSecond)}/s`,
  beside: `bare Fastify ${fixed(peer.requestsPerSecond)}/s`,
  ratio: ours.requestsPerSecond / peer.requestsPerSecond,
  aim,
});

const p99 = (what: string, ours: Measured, peer: Measured, aim: Row['aim']): Row => ({
  what,
  ours: `p50 ${fixed(ours.p50Ms)}, p99 ${fixed(ours.p99Ms)} ms`,
  beside: `bare Fastify p50 ${fixed(peer.p50Ms)}, p99 ${fixed(peer.p99Ms)} ms`,
  ratio: ours.p99Ms / Math.max(1, peer.p99Ms),
  aim,
});
