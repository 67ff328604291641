import { withClient } from '../../dev/postgres.ts';
import { rpcClients } from '../../kit/rpc.ts';
import { CreditService } from '../../proto/gen/scanaudit/v1/credits_pb.ts';
import { DomainService } from '../../proto/gen/scanaudit/v1/domains_pb.ts';
import { KeyService } from '../../proto/gen/scanaudit/v1/keys_pb.ts';
import { KeyKind } from '../../proto/gen/scanaudit/v1/options_pb.ts';
import { OrgService } from '../../proto/gen/scanaudit/v1/orgs_pb.ts';
import type { BenchStack } from './bench-stack.ts';

type Org = { key: string; orgId: string };

/** An org with credit and the right to scan some domains, on a plan whose limits are out of reach. */
export async function newOrg({ coreUrl, operatorKey }: BenchStack, domains: readonly string[]): Promise<Org> {
  const operator = rpcClients({ baseUrl: coreUrl, key: operatorKey });
  const { orgId } = await operator(OrgService).createOrg({ name: 'Bench', plan: 'test' });
  const grant = { orgId, amount: 1_000_000, reason: 'bench', idempotencyKey: 'bench' };
  await operator(CreditService).grantCredits(grant);
  for (const domain of domains) await operator(DomainService).approveDomain({ orgId, domain, includeSubdomains: true });
  const scopes = ['scans:read', 'scans:write', 'domains:write'];
  const { secret } = await operator(KeyService).issueKey({ kind: KeyKind.ORG, orgId, name: 'bench', scopes });
  return { key: secret, orgId };
}

/**
 * Gives an org a history of finished scans of a domain, a second apart.
 * @returns one of the runs
 */
export const addHistory = (
  { superuserUrl }: BenchStack,
  orgId: string,
  domain: string,
  scans: number,
): Promise<string> =>
  withClient(superuserUrl, async (client) => {
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
