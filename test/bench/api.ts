import { withClient } from '../../dev/postgres.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { CreditService } from '../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import type { BenchStack } from './bench-stack.ts';
import { type Measured, measure } from './load.ts';
import { atLeast, atMost, fixed, type Row } from './table.ts';

const domain = 'bench.example';

type Org = { key: string; orgId: string; runId: string };

/** An org with credit, a domain, and a history of finished scans. */
async function newOrg({ coreUrl, operatorKey, superuserUrl }: BenchStack, scans: number): Promise<Org> {
  const operator = rpcClients({ baseUrl: coreUrl, key: operatorKey });
  const { orgId } = await operator(OrgService).createOrg({ name: `bench ${scans}`, plan: 'test' });
  const grant = { orgId, amount: 1_000_000, reason: 'bench', idempotencyKey: 'bench' };
  await operator(CreditService).grantCredits(grant);
  await operator(DomainService).approveDomain({ orgId, domain, includeSubdomains: true });
  const scopes = ['scans:read', 'scans:write'];
  const { secret } = await operator(KeyService).issueKey({ kind: KeyKind.ORG, orgId, name: 'bench', scopes });
  const runId = await withClient(superuserUrl, async (client) => {
    await client.query(
      "insert into credit_holds (id, org_id, amount, state, resolved_at) values ($1, $1, 1, 'settled', now())",
      [orgId],
    );
    await client.query(
      `insert into scans (run_id, org_id, key_id, host, url, depth, credits, hold_id, domain, ownership_method,
         ownership_verified_at, status, phase, progress, created_at, finished_at)
       select uuidv7(-(i || ' seconds')::interval), $1, 'bench', 'h' || i % 100 || '.${domain}', 'https://h/', 'standard', 1, $1,
         '${domain}', 'operator', now(), 'completed', 'done', 1, now() - (i || ' seconds')::interval, now()
       from generate_series(1, $2::integer) as i`,
      [orgId, scans],
    );
    await client.query('vacuum analyze scans');
    return (await client.query('select run_id from scans where org_id = $1 limit 1', [orgId])).rows[0].run_id as string;
  });
  return { key: secret, orgId, runId };
}

/** The API rows of the speed table. Rates are per second, times in milliseconds. */
export async function apiRows(stack: BenchStack, durationSeconds: number): Promise<Row[]> {
  const small = await newOrg(stack, 1_000);
  const big = await newOrg(stack, 1_000_000);
  const api = `${stack.gatewayUrl}/api/v1/scans`;
  const run = (url: string, key: string, connections: number, rate?: number) =>
    measure({ url, key, durationSeconds, connections, ...(rate === undefined ? {} : { rate }) });
  const get = [`${api}/${small.runId}`, `${stack.peerUrl}/scans/${small.runId}`] as const;
  for (const url of get) await run(url, small.key, 32);
  const [ours, peer] = await both(get, (url) => run(url, small.key, 32));
  const [oursPaced, peerPaced] = await both(get, (url) => run(url, small.key, 16, 500));
  let host = 0;
  const body = () => ({ url: `https://h${host++}.${domain}/` });
  const post = [api, `${stack.peerUrl}/scans`] as const;
  const [start, peerStart] = await both(post, (url) =>
    measure({ url, key: small.key, durationSeconds, connections: 16, rate: 200, body }),
  );
  const listed = (key: string) => run(`${api}?limit=20`, key, 4);
  await listed(big.key);
  const [list, bigList] = [await listed(small.key), await listed(big.key)];
  return [
    throughput('GET /scans/:id, 32 connections', ours, peer, atLeast(0.4)),
    p99('GET /scans/:id at 500/s', oursPaced, peerPaced, 15),
    p99('POST /scans at 200/s, no dispatch', start, peerStart, 50),
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

const p99 = (what: string, ours: Measured, peer: Measured, limitMs: number): Row => ({
  what,
  ours: `p50 ${fixed(ours.p50Ms)}, p99 ${fixed(ours.p99Ms)} ms`,
  beside: `bare Fastify p50 ${fixed(peer.p50Ms)}, p99 ${fixed(peer.p99Ms)} ms`,
  ratio: ours.p99Ms / Math.max(1, peer.p99Ms),
  aim: { text: `p99 ≤ ${limitMs} ms`, isMet: () => ours.p99Ms <= limitMs },
});
